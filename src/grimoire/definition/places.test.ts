import fc from "fast-check";
import { expect, test } from "vitest";
import type { Place } from "../../contract/problem.ts";
import { readGrimoire } from "./read-grimoire.ts";

const path = ["steps", 0, "command"];
const withCommand = (command: string): string =>
  `name: a\ndescription: b\nsteps:\n  - name: s\n    type: script\n    command: ${command}\n    shell: sh\n`;

/** The character of a text at a place; nothing behind the end of its line. */
function characterAt(text: string, { line, column }: Place): string {
  return [...text.split(/\r?\n/)[line - 1]!][column - 1] ?? "";
}

/** Every place of a text, with the character that stands there. */
function charactersOf(text: string): [Place, string][] {
  return text
    .split("\n")
    .flatMap((line, index) =>
      [...line].map((character, at): [Place, string] => [{ line: index + 1, column: at + 1 }, character]),
    );
}

function commandOf(text: string): string {
  const { grimoire, problems } = readGrimoire(text, "a.yaml");
  expect(problems).toEqual([]);
  const step = grimoire!.steps[0]!;
  return step.type === "script" ? step.command : "";
}

const word = fc.string({
  unit: fc.constantFrom("a", "Z", "7", "{", "}", ".", "é", "😀", "$", "'", '"', "\\", "#", " "),
});
const line = word.map((text) => text.trim());
const lines = fc.array(line, { minLength: 1, maxLength: 6 }).filter((all) => all.some((each) => each !== ""));
const lineEnd = fc.constantFrom("\n", "\r\n");

test("G1 a place in a literal block is the same character in the file", () => {
  const indents = fc.array(fc.constantFrom("", " ", "   "), { minLength: 6, maxLength: 6 });
  const header = fc.constantFrom("|", "|-", "|+", "| # a comment");
  fc.assert(
    fc.property(lines, indents, header, lineEnd, (texts, more, style, end) => {
      const first = texts.findIndex((text) => text !== "");
      const body = texts.map((text, at) => (text === "" ? "" : `      ${at === first ? "" : more[at]!}${text}`));
      const text = withCommand(`${style}\n${body.join("\n")}`).replaceAll("\n", end);
      const { places } = readGrimoire(text, "a.yaml");
      for (const [place, character] of charactersOf(commandOf(text))) {
        expect(characterAt(text, places.within(path, place.line, place.column))).toBe(character);
      }
    }),
  );
});

test("G1 a place in a quoted, plain or folded text is the same character in the file, or its escape", () => {
  const styles: Record<string, (texts: string[]) => string> = {
    double: (texts) => JSON.stringify(texts.join("\n")),
    "double over lines": (texts) =>
      JSON.stringify(texts.join("\n")).replaceAll(" ", " \n\n       ").replaceAll("Z", "\\\n       Z"),
    escaped: (texts) => JSON.stringify(texts.join("\n")).replaceAll("é", "\\u00e9").replaceAll("😀", "\\U0001F600"),
    single: (texts) => `'${texts.join(" ").replaceAll("'", "''")}'`,
    "single over lines": (texts) => `'${texts.join("\n       ").replaceAll("'", "''")}'`,
    plain: (texts) => `a${texts.join("b").replaceAll(/[{}#'"]/g, "c")}`,
    "plain over lines": (texts) => `a${texts.join("\n\n       b").replaceAll(/[{}#'"]/g, "c")}`,
    folded: (texts) => `>-\n${texts.map((text) => `      ${text}`).join("\n")}`,
    "folded, some lines further in": (texts) =>
      `>\n      a\n${texts.map((text, at) => `${" ".repeat(6 + (at % 3))}${text}`).join("\n")}`,
  };
  fc.assert(
    fc.property(lines, fc.constantFrom(...Object.keys(styles)), lineEnd, (texts, style, end) => {
      const text = withCommand(styles[style]!(texts)).replaceAll("\n", end);
      const { places } = readGrimoire(text, "a.yaml");
      for (const [place, character] of charactersOf(commandOf(text))) {
        if (character === " ") continue;
        const found = characterAt(text, places.within(path, place.line, place.column));
        const isEscape = style.startsWith("double") || style === "escaped" ? found === "\\" : false;
        expect(isEscape || found === character).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
});

test("G1 a column behind the end stays at the end of its line, a line behind the end at the end of the text", () => {
  const text = withCommand("|\n      ab\n      c");
  const { places } = readGrimoire(text, "a.yaml");
  expect(places.within(path, 1, 99)).toEqual({ line: 7, column: 9 });
  expect(places.within(path, 9, 1)).toEqual({ line: 8, column: 8 });
  expect(readGrimoire(withCommand("ab"), "a.yaml").places.within(path, 2, 1)).toEqual({ line: 6, column: 16 });
  expect(readGrimoire(withCommand('"ab"'), "a.yaml").places.within(path, 1, 3)).toEqual({ line: 6, column: 17 });
});

test("G1 places of values, of keys without one, and of the nearest parent", () => {
  const text = "name: a\ndescription:\nsteps:\n- name: s\n  input: &i {x: [1, 22]}\n- name: t\n  input: *i\n";
  const { places } = readGrimoire(text, "a.yaml");
  expect(places.of(["name"])).toEqual({ line: 1, column: 7 });
  expect(places.of(["description"])).toEqual({ line: 2, column: 1 });
  expect(places.of(["steps", 0, "input", "x", 1])).toEqual({ line: 5, column: 21 });
  expect(places.of(["steps", 1, "input", "x", 1])).toEqual({ line: 5, column: 21 });
  expect(places.of(["steps", 0, "spell", "deep"])).toEqual({ line: 4, column: 3 });
  expect(places.of(["steps", 9])).toEqual({ line: 4, column: 1 });
  expect(places.of(["nothing"])).toEqual({ line: 1, column: 1 });
  expect(places.within(["steps", 0, "input"], 4, 2)).toEqual({ line: 5, column: 13 });
});
