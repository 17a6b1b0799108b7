import { describe, expect, it } from "vitest";
import { execute, segmentsText } from "./execute.ts";
import { includedNames } from "./included-names.ts";
import { parseTemplate } from "./parse.ts";
import { TemplateError } from "./template-error.ts";
import { Unknown, type Data } from "./unknown.ts";

/** Renders with an include that shows what it was called with. */
const render = (text: string, data: Data = { bead: { title: "T" }, a: [7], n: null }): string => {
  const include = (name: string, given: Data, place: { line: number; column: number }): string =>
    `<${name} ${JSON.stringify(given)} ${place.line}:${place.column}>`;
  return segmentsText(execute(parseTemplate("t", text), data, { include }));
};

describe("include", () => {
  it("G5 calls with the data of the template, or with what is given", () => {
    expect(render('{{include "p.md"}}', { x: 1 })).toBe('<p.md {"x":1} 1:3>');
    expect(render('{{with .bead}}{{include "p.md"}}{{end}}')).toContain('"a":[7]');
    expect(render('\n {{include "p.md" .bead}}')).toBe('\n <p.md {"title":"T"} 2:4>');
    expect(render('{{.bead | include "p.md"}}')).toContain('<p.md {"title":"T"}');
    expect(render('{{"p.md" | include}}', 1)).toContain("<p.md 1");
    expect(render('{{define "d"}}{{include "p"}}{{end}}{{template "d" .bead}}')).toContain('<p {"title":"T"}');
  });

  it("G5 lays named arguments over the data", () => {
    expect(render('{{include "p" .bead name="value" n=3 title=.bead.title list=(index .a 0)}}')).toContain(
      '{"title":"T","name":"value","n":3,"list":7}',
    );
    expect(render('{{include "p" .missing a=1}}')).toContain('<p {"a":1}');
    expect(render('{{include "p" nil a=1.5 b=true c=nil d=`x`}}')).toContain('<p {"a":1.5,"b":true,"d":"x"}');
    expect(render('{{include "p" x=1}}', { y: 2 })).toContain('<p {"y":2,"x":1}');
    expect(render('{{include "p" .bead x=$.a.b.c}}', { bead: {} })).toContain("<p {}");
    expect(render('{{include "p" .bead if=1 __proto__=2}}')).toContain('{"title":"T","if":1,"__proto__":2}');
  });

  it("G5 takes values in braces", () => {
    expect(render('{{include "p" .bead title={{.a}}}}')).toContain('{"title":[7]}');
    expect(render('{{include "p" .bead title={{.bead.title}} n={{ len .a | print "x" }} }}!')).toContain(
      '{"title":"T","n":"x1"}',
    );
    expect(render('{{include "p" .bead x={{include "q" .a y={{1}}}}}}', { bead: {}, a: {} })).toBe(
      '<p {"x":"<q {\\"y\\":1} 1:25>"} 1:3>',
    );
    expect(render('{{ include "p" .bead title={{ "}}" }} -}} x')).toBe('<p {"title":"}}"} 1:4>x');
  });

  it("G5 is a function like any other", () => {
    expect(render('{{len (include "p" .a)}}')).toBe("11");
    expect(render('{{include "p" .bead x=1 | printf "%.3s"}}')).toBe("<p ");
    expect(render('{{if include "p" nil x=1}}y{{end}}{{$v := include (print "a" "b") .bead}}{{$v}}')).toContain("y<ab");
  });

  it("G5 refuses what is no include", () => {
    const refused = [
      '{{include "p" a=1 a=2}}',
      '{{include "p" a=1 .x}}',
      '{{include "p" a= 1}}',
      '{{include "p" a = 1}}',
      '{{include "p" a=}}',
      '{{include "p" a=)}}',
      '{{include "p" 1a=1}}',
      '{{include "p" .a=1}}',
      '{{include "p" $a=1}}',
      "{{print a=1}}",
      "{{a=1}}",
      "{{print include a=1}}",
      '{{include "p" | print a=1}}',
      '{{include "p" (a=1)}}',
      '{{include "p" a={{}}}}',
      '{{include "p" a={{.x}}',
      '{{include "p" a={{.x -}}}}',
      '{{include "p" a={{(.x}}}}',
      '{{include "p" {{.x}}}}',
    ];
    for (const text of refused) expect(() => parseTemplate(text, text)).toThrow(TemplateError);
    for (const text of [
      "{{include}}",
      "{{include 1}}",
      '{{include "p" . .}}',
      '{{include "p" .a x=1}}',
      "{{include .n}}",
    ]) {
      expect(() => render(text)).toThrow(TemplateError);
    }
    expect(() => execute(parseTemplate("t", '{{include "p"}}'), {})).toThrow("not possible here");
  });

  it("G5 lets errors of a partial through, and takes unknown arguments", () => {
    const include = (): string => {
      throw new TemplateError("p.md", 3, 4, "wrong");
    };
    expect(() => execute(parseTemplate("t", '{{include "p.md"}}'), {}, { include })).toThrow(
      expect.objectContaining({ template: "p.md", line: 3, column: 4 }),
    );
    const given: Data[] = [];
    const take = (_: string, data: Data): string => String(given.push(data));
    const data = { u: new Unknown("u", "object"), v: new Unknown("v", "object", { w: 1 }) };
    const template = parseTemplate(
      "t",
      '{{include "p" .u}}{{include "p" .u a=1}}{{include "p" .v a=.u}}{{include .u}}',
    );
    expect(segmentsText(execute(template, data, { include: take }))).toBe("123⟨include .u: text⟩");
    expect(given[0]).toBe(data.u);
    expect((given[1] as Unknown).field("a")).toBe(1);
    expect((given[1] as Unknown).field("b")).toEqual(new Unknown("u.b"));
    expect((given[2] as Unknown).field("w")).toBe(1);
    expect((given[2] as Unknown).field("b")).toBeUndefined();
  });

  it("G5 lists the names that a template includes", () => {
    const text =
      '{{include "a.md"}}{{define "d"}}{{include `b.md` x=(include "c.md")}}{{end}}\n{{if include .x}}{{end}}';
    expect(includedNames(parseTemplate("t", text))).toEqual([
      { name: "a.md", line: 1, column: 3 },
      { name: "b.md", line: 1, column: 35 },
      { name: "c.md", line: 1, column: 53 },
      { name: undefined, line: 2, column: 6 },
    ]);
  });
});
