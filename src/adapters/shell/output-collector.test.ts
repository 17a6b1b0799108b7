import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { createRedactor } from "../../redact/redactor.ts";
import { collectOutput } from "./output-collector.ts";

const value = `v${"x1".repeat(12)}`;
const redactor = createRedactor({ env: { SOME_TOKEN: value } });

it("G15 lines are told after a pause, redacted, and the whole is kept", async () => {
  const told: string[] = [];
  const output = collectOutput(redactor, (text) => told.push(text));
  output.push(`compiling ${value}\nlink`);
  await sleep(400);
  expect(told).toEqual(["compiling [redacted:env SOME_TOKEN]\n"]);
  output.push("ing\n");
  expect(output.end()).toBe("compiling [redacted:env SOME_TOKEN]\nlinking\n");
  expect(told.join("")).toBe("compiling [redacted:env SOME_TOKEN]\nlinking\n");
});

it("G15 a log that cannot be written is told to whoever writes next", async () => {
  const output = collectOutput(redactor, () => {
    throw new Error("no room");
  });
  output.push("a line\n");
  await sleep(400);
  expect(() => output.push("more\n")).toThrow("no room");
});
