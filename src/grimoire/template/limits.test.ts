import { describe, expect, it } from "vitest";
import { execute, segmentsText, type ExecuteOptions, type Include } from "./execute.ts";
import { parseTemplate } from "./parse.ts";
import { TemplateError } from "./template-error.ts";
import type { Data } from "./unknown.ts";

const many = Array.from({ length: 3000 }, () => 1);

function failure(text: string, data: Data = {}, options: ExecuteOptions = {}): string {
  try {
    execute(parseTemplate("t", text), data, options);
    return "";
  } catch (error) {
    expect(error).toBeInstanceOf(TemplateError);
    return (error as TemplateError).message;
  }
}

const nested = (open: string, inside: string, close: string, depth: number): string =>
  open.repeat(depth) + inside + close.repeat(depth);

describe("limits", () => {
  it("G4 limits the length and depth of the source", () => {
    expect(failure("x".repeat(2 ** 20 + 1))).toContain("longer than");
    expect(failure(nested("{{if .}}", "x", "{{end}}", 201))).toContain("nested too deep");
    expect(failure(`{{${nested("(", "1", ")", 100_000)}}}`)).toContain("nested too deep");
    expect(failure(`{{if .}}${"{{else if .}}".repeat(20_000)}{{end}}`)).toContain("nested too deep");
    expect(failure(nested('{{block "x" .}}', "", "{{end}}", 300))).toContain("nested too deep");
    expect(failure(nested("{{with 1}}", "x", "{{end}}", 200))).toBe("");
  });

  it("G4 limits steps", () => {
    expect(failure("{{range .}}{{range $}}{{range $}}{{end}}{{end}}{{end}}", many)).toContain("steps");
    expect(failure("{{range .}}{{$x := eq 1 1}}{{end}}", many, { limits: { steps: 9000 } })).toContain("steps");
  });

  it("G4 limits texts, also those that are never printed", () => {
    expect(failure('{{$x := "abcdefgh"}}{{range .}}{{$x = print $x $x}}{{end}}', many)).toMatch(/steps|longer than/);
    expect(failure('{{range .}}{{$x := printf "%1000000d" 1}}{{end}}', many)).toContain("steps");
    expect(failure(`{{printf "${"%9999999d".repeat(9)}" 1 2 3 4 5 6 7 8 9}}`)).toContain("longer than");
    expect(failure('{{range .}}{{printf "%65536d" 1}}{{end}}', many)).toContain("longer than");
    const doubling = '{{define "x"}}{{template "x" json .}}{{end}}{{template "x" "\\""}}';
    expect(failure(doubling, {}, { limits: { steps: 100_000 } })).toMatch(/steps|longer than/);
  });

  it("G4 limits work on long texts", () => {
    for (const call of [
      "len $.s",
      "slice $.s 1 2",
      "index $.s 1",
      "js $.s",
      "urlquery $.s",
      'printf "%q" $.s',
      "eq $.s $.t",
    ]) {
      const data = { s: "日".repeat(500_000), t: `${"日".repeat(500_000)}!`, many };
      expect(
        failure(`{{range .many}}{{range $.many}}{{$x := ${call}}}{{end}}{{end}}`, data, { limits: { steps: 300_000 } }),
      ).toContain("steps");
    }
  });

  it("G4 ends recursion with an error", () => {
    expect(failure('{{define "x"}}{{template "x" .}}{{end}}{{template "x" .}}')).toContain("deep");
    expect(
      failure('{{define "a"}}{{template "b"}}{{end}}{{define "b"}}{{template "a"}}{{end}}{{template "a"}}'),
    ).toContain("deep");
    const body = nested("{{with 1}}", `{{template "x" ${nested("(print ", "1", ")", 90)}}}`, "{{end}}", 90);
    expect(failure(`{{define "x"}}${body}{{end}}{{template "x"}}`)).toContain("inside one another");
  });

  it("G4 shares one budget with what is included", () => {
    const text = `{{define "x"}}${nested("{{with 1}}", '{{include "p"}}', "{{end}}", 150)}{{end}}{{template "x"}}`;
    const include: Include = (name, data, place, budget) =>
      segmentsText(execute(parseTemplate(name, text), data, { include, budget }));
    expect(failure(text, {}, { include })).toContain("inside one another");
  });

  it("G4 does not print data that is too deep", () => {
    let deep: Data = 1;
    for (let level = 0; level < 50_000; level++) deep = level % 2 ? [deep] : { a: deep };
    expect(failure("{{.}}", deep)).toContain("too deep to print");
    expect(failure("{{print .}}", deep)).toContain("too deep to print");
    expect(failure('{{printf "%#v" .}}', deep)).toContain("too deep to print");
  });

  it("G4 takes other limits", () => {
    const template = parseTemplate("t", "{{range .}}x{{end}}");
    expect(() => execute(template, [1, 2, 3], { limits: { steps: 5 } })).toThrow(TemplateError);
    expect(() => execute(template, [1, 2, 3], { limits: { textLength: 2 } })).toThrow(TemplateError);
    expect(segmentsText(execute(template, [1, 2, 3], { limits: { textLength: 3 } }))).toBe("xxx");
  });
});
