import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import type { Line } from "./line-program.ts";

const folder = resolve(import.meta.dirname, "../fixtures/engines");
const engines = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
const files = engines.flatMap(({ name }) => readdirSync(join(folder, name)).map((file) => `${name}/${file}`));

test("each engine has a recording of every course", () => {
  expect(files).toHaveLength(5 * 5);
});

test.each(files)("the recording %s is whole and names no machine", (file) => {
  const text = readFileSync(join(folder, file), "utf8");
  expect(text).not.toMatch(/\/tmp\/|\/root\b/u);
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
  expect(lines.at(-1)?.dir).toBe("out");
  expect(text).toContain(file.includes("live-interrupted") || file.includes("further") ? "second mess" : "hello.txt");
});
