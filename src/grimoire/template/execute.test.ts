import { describe, expect, it } from "vitest";
import { evaluate, execute, isSingleAction, segmentsText } from "./execute.ts";
import { parseTemplate } from "./parse.ts";
import type { Data } from "./unknown.ts";

const render = (text: string, data: Data = {}): string => segmentsText(execute(parseTemplate("t", text), data));

describe("segments", () => {
  it("G4 tells text from values, with places that count characters from 1", () => {
    expect(execute(parseTemplate("t", "😀 {{.a}}\nx{{.b | raw}}"), { a: [1], b: "r" })).toEqual([
      { kind: "text", text: "😀 ", line: 1, column: 1 },
      { kind: "value", text: "[1]", value: [1], raw: false, line: 1, column: 3 },
      { kind: "text", text: "\nx", line: 1, column: 9 },
      { kind: "value", text: "r", value: "r", raw: true, line: 2, column: 2 },
    ]);
  });

  it("G4 has values of templates that are called", () => {
    const segments = execute(parseTemplate("t", '{{define "x"}}{{.}}{{end}}{{template "x" 1.0}}'), {});
    expect(segments).toEqual([{ kind: "value", text: "1", value: 1, raw: false, line: 1, column: 15 }]);
  });

  it("G4 marks what raw gave, but not what another function made of it", () => {
    const isRaw = (text: string): boolean[] =>
      execute(parseTemplate("t", text), { a: "x" }).map((segment) => segment.kind === "value" && segment.raw);
    expect(isRaw("{{raw .a}}{{(raw .a)}}{{$x := raw .a}}{{$x}}{{with raw .a}}{{.}}{{end}}")).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(isRaw("{{raw .a | print}}{{and 1 (raw .a)}}{{default 1 (raw .a)}}{{.a}}")).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});

describe("single actions", () => {
  it("G4 knows a template that is one action", () => {
    const isSingle = (text: string): boolean => isSingleAction(parseTemplate("t", text));
    expect(["{{.a}}", "{{- .a -}}", "{{/* c */}}{{.a}}", " {{- .a}}"].map(isSingle)).toEqual([true, true, true, true]);
    expect(["", "a", "{{.a}}\n", "{{.a}}{{.b}}", "{{$x := 1}}", "{{if .a}}{{end}}"].map(isSingle)).not.toContain(true);
  });

  it("G4 gives its value as plain data", () => {
    const value = (text: string, data: Data = { a: { b: [1, null] }, n: null }): Data =>
      evaluate(parseTemplate("t", text), data);
    expect(value("{{.a}}")).toEqual({ b: [1, null] });
    expect(value("{{.n}}")).toBeNull();
    expect(value("{{.missing}}")).toBeUndefined();
    expect(value("{{1.0}}")).toBe(1);
    expect(value("{{9007199254740993}}")).toBe(9007199254740992);
    expect(value('{{index "a" 0}}')).toBe(97);
    expect(value("{{raw .a.b}}")).toEqual([1, null]);
    expect(value("{{1+2i}}")).toBe("(1+2i)");
    expect(value('{{"\\xff"}}')).toBe("\ufffd");
    expect(() => value("a{{.a}}")).toThrow("exactly one action");
  });
});

describe("data", () => {
  it("G4 never shows what objects inherit", () => {
    for (const name of ["constructor", "__proto__", "toString", "hasOwnProperty", "valueOf", "__defineGetter__"]) {
      expect(render(`{{.${name}}}|{{index . "${name}"}}|{{.a.${name}}}`, { a: {} })).toBe("||");
      expect(() => render(`{{.a.${name}}}`, { a: [1] })).toThrow("no field");
      expect(() => render(`{{.a.${name}}}`, { a: "text" })).toThrow("no field");
    }
  });

  it("G4 takes such names as keys when the data has them", () => {
    const data = JSON.parse('{"__proto__": {"x": 1}, "constructor": 2}') as Data;
    expect(render('{{.__proto__.x}}{{.constructor}}{{index . "__proto__"}}{{.}}', data)).toBe(
      '12{"x":1}{"__proto__":{"x":1},"constructor":2}',
    );
  });

  it("G4 makes texts well-formed on the way in and out", () => {
    expect(render('{{.a}}{{len .a}}{{index .a 0}}{{slice "é" 1}}', { a: "\ud800" })).toBe("\ufffd3239\ufffd");
    expect(render("{{range $k, $v := .}}{{$k}}{{$v}}{{end}}{{.}}", { "\udc80": "\udc80" })).toBe(
      '\ufffd\ufffd{"\ufffd":"\ufffd"}',
    );
  });
});
