import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { execute, segmentsText } from "../../../src/grimoire/template/execute.ts";
import { parseTemplate } from "../../../src/grimoire/template/parse.ts";
import { TemplateError } from "../../../src/grimoire/template/template-error.ts";
import type { Data } from "../../../src/grimoire/template/unknown.ts";

/** What real Go 1.19 made of a template. Its columns count bytes from 0; its parse errors have none. */
interface Golden {
  feature: string;
  template: string;
  on: string;
  output?: string;
  error?: "parse" | "exec";
  line?: number;
  column?: number;
}

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");
const dataSets = JSON.parse(read("data.json")) as Record<string, Data>;
const results = read("results.jsonl")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line) as Golden);

describe("G4 templates give what real Go gives", () => {
  for (const feature of new Set(results.map((result) => result.feature))) {
    const cases = results.filter((result) => result.feature === feature);
    it(`G4 ${feature}: ${cases.length} cases`, () => {
      expect(cases.map(ours)).toEqual(cases.map(theirs));
    });
  }

  it("G4 covers every feature", () => {
    expect(results.length).toBeGreaterThan(2000);
    expect(results.filter(({ error }) => error === "parse").length).toBeGreaterThan(200);
    expect(results.filter(({ error }) => error === "exec").length).toBeGreaterThan(400);
  });
});

type Outcome = Pick<Golden, "template" | "output" | "error" | "line" | "column">;

function theirs({ template, output, error, line, column }: Golden): Outcome {
  if (error === undefined) return { template, output: output! };
  return {
    template,
    error,
    line: line!,
    ...(column !== undefined && { column: characterColumn(template, line!, column) }),
  };
}

function ours({ template, on }: Golden): Outcome {
  let parsed;
  try {
    parsed = parseTemplate("t", template);
    return { template, output: segmentsText(execute(parsed, dataSets[on], { include: (name) => `<${name}>` })) };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    if (!parsed) return { template, error: "parse", line: error.line };
    return { template, error: "exec", line: error.line, column: error.column };
  }
}

function characterColumn(text: string, line: number, bytes: number): number {
  const before = Buffer.from(text.split("\n")[line - 1]!).subarray(0, bytes);
  return [...before.toString()].length + 1;
}
