import { assumeRedacted, type Redacted } from "../../contract/redacted.ts";
import { expect, it } from "vitest";
import { LogWriter } from "./log-writer.ts";
import type { OtherLine } from "./run-tables.ts";

const line = (text: string): Redacted<OtherLine> =>
  assumeRedacted({ type: "step.warning", at: "", path: "a", attempt: 1, message: text });
const textOf = (lines: OtherLine[]): string => lines.map((each) => ("message" in each ? each.message : "")).join();

it("G15 lines are written in order, and those that come meanwhile together", async () => {
  const batches: string[] = [];
  let finish = (): void => undefined;
  const writer = new LogWriter((lines) => {
    batches.push(textOf(lines));
    return new Promise((resolve) => (finish = resolve));
  });
  for (const text of ["one", "two", "three"]) writer.add(line(text));
  const flushed = writer.flush();
  expect(batches).toEqual(["one"]);
  finish();
  await new Promise((resolve) => setImmediate(resolve));
  expect(batches).toEqual(["one", "two,three"]);
  finish();
  await flushed;
  writer.add(line("four"));
  expect(batches).toEqual(["one", "two,three", "four"]);
});

it("G15 a line that could not be written ends the work: the next one throws, and so does the end", async () => {
  const writer = new LogWriter(() => Promise.reject(new Error("no room")));
  writer.add(line("one"));
  await expect(writer.flush()).rejects.toThrow("no room");
  expect(() => writer.add(line("two"))).toThrow("no room");
});
