import { describe, expect, it } from "vitest";
import { parseTemplate } from "./parse.ts";
import { analyzeReferences, findReferences } from "./references.ts";

/** `a.b` with a question mark when it is guarded. */
const found = (text: string): string[] =>
  findReferences(parseTemplate("t", text)).map(({ path, guarded }) => path.join(".") + (guarded ? "?" : ""));

describe("references", () => {
  it("G18 are the paths from the data", () => {
    expect(found("{{.a.b}}{{$.c}}{{(.d).e}}{{print .f (len .g)}}{{$x := .h}}{{$x.i}}{{.}}")).toEqual([
      "a.b",
      "c",
      "d",
      "f",
      "g",
      "h",
    ]);
    expect(found("{{range .a}}{{.b}}{{$.c}}{{else}}{{.d}}{{end}}{{with $.e}}{{.f}}{{else}}{{.g}}{{end}}")).toEqual([
      "a",
      "c",
      "d",
      "e?",
      "g",
    ]);
    expect(
      found('{{include "p" .a x=.b y={{.c}} z=(default 1 .d)}}{{template "x" .e}}{{define "x"}}{{.f}}{{end}}'),
    ).toEqual(["a", "b", "c", "d?", "e"]);
  });

  it("G18 follow a definition that gets the data itself", () => {
    expect(found('{{define "x"}}{{.a}}{{template "x" .}}{{end}}{{template "x" $}}')).toEqual(["a"]);
    expect(found('{{block "x" .}}{{.a}}{{$.b}}{{end}}{{range .c}}{{block "y" .}}{{.d}}{{end}}{{end}}')).toEqual([
      "a",
      "b",
      "c",
    ]);
    expect(found("{{$.a}}{{$ := .b}}{{$.c}}")).toEqual(["a", "b"]);
  });

  it("G18 are guarded by a test", () => {
    expect(found("{{if .a}}{{.a.b}}{{.c}}{{else}}{{.a}}{{end}}{{.a}}")).toEqual(["a?", "a.b?", "c", "a?", "a"]);
    expect(found('{{default "" .a}}{{.b | default ""}}{{and .c .d}}{{not .e}}{{print (or .f 1) .g}}')).toEqual([
      "a?",
      "b?",
      "c?",
      "d?",
      "e?",
      "f?",
      "g",
    ]);
    expect(found("{{with .a}}{{$.a.b}}{{$.c}}{{end}}")).toEqual(["a?", "a.b?", "c"]);
  });

  it("G18 say where they begin", () => {
    expect(findReferences(parseTemplate("t", "é\n 😀{{ .a.b.c }}{{$.d.e}}"))).toEqual([
      { path: ["a", "b", "c"], guarded: false, line: 2, column: 6 },
      { path: ["d", "e"], guarded: false, line: 2, column: 17 },
    ]);
  });

  it("G17 the data as a whole is told apart from an element that is only called so", () => {
    const all = (text: string): boolean => analyzeReferences(parseTemplate("t", text)).usesAllData;
    for (const text of ["{{json .}}", '{{index . "a"}}', "{{$}}", '{{include "p.md" .}}', "{{with .}}{{.a}}{{end}}"]) {
      expect([text, all(text)]).toEqual([text, true]);
    }
    for (const text of [
      "{{.a}}",
      "{{range .a}}{{.}}{{end}}",
      '{{define "x"}}{{.a}}{{end}}{{template "x" .}}',
      "{{$.a}}",
    ]) {
      expect([text, all(text)]).toEqual([text, false]);
    }
  });
});
