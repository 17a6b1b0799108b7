import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { execute, segmentsText, type Branches } from "./execute.ts";
import { includedNames } from "./included-names.ts";
import { parseTemplate } from "./parse.ts";
import { findReferences } from "./references.ts";
import { TemplateError } from "./template-error.ts";
import { Unknown, type Data } from "./unknown.ts";

const pieces = fc.constantFrom(
  ...'{{ }} {{- -}} ( ) | . $ .a .l $x := = , nil true 1 -1.5 1i \'a\' "s" `r` /* */ if else end range with define template block break continue include print printf index slice len eq and or default raw json html \n é 😀 \ud800 key= "%d" "%[1]*.3q" {{end}}'.split(
    " ",
  ),
);
const templates = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(" ")),
);
const values: fc.Arbitrary<Data> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Data>,
  fc.constantFrom<Data>(
    { a: new Unknown("a"), l: [new Unknown("l", "list")] },
    undefined,
    new Unknown("all", "object"),
  ),
);

/** Runs it, and hands on only errors that should not be. */
function attempt(text: string, data: Data, branches: Branches): string | undefined {
  try {
    const template = parseTemplate("t", text);
    findReferences(template);
    includedNames(template);
    const limits = { steps: 20_000, textLength: 100_000 };
    return segmentsText(execute(template, data, { branches, limits, include: (name) => name }));
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    const lines = text.split("\n");
    expect(error.line).toBeGreaterThan(0);
    expect(error.line).toBeLessThanOrEqual(lines.length);
    expect(error.column).toBeGreaterThan(0);
    expect(error.column).toBeLessThanOrEqual([...lines[error.line - 1]!].length + 1);
    return undefined;
  }
}

describe("whatever the input", () => {
  it("G4 ends with text or with a TemplateError that has a place in the text", () => {
    fc.assert(
      fc.property(templates, values, fc.constantFrom<Branches>("both", "first", "second"), (text, data, branches) => {
        const output = attempt(text, data, branches);
        expect(output?.isWellFormed() ?? true).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  it("G4 gives text without actions back as it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        fc.pre(!text.includes("{{"));
        expect(attempt(text, null, "both")).toBe(text);
      }),
    );
  });

  it("G4 prints any JSON so that it reads back", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (value) => {
        expect(JSON.parse(attempt("{{.}}", value as Data, "both")!)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it("G4 counts, indexes and slices texts by bytes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), fc.nat(), (text, at) => {
        const bytes = Buffer.from(text);
        const cut = at % bytes.length;
        const template = `{{len .}} {{index . ${cut}}} {{print (slice . 0 ${cut}) (slice . ${cut}) | eq .}}`;
        expect(attempt(template, text, "both")).toBe(`${bytes.length} ${bytes[cut]} true`);
      }),
    );
  });
});
