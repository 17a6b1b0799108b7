import { describe, expect, it } from "vitest";
import { checkValues } from "./check-values.ts";
import { acceptedScripts, acceptedUnrun } from "./fixtures/accepted-scripts.ts";
import { piecesOf } from "./fixtures/pieces-of.ts";
import { refusedScripts } from "./fixtures/refused-scripts.ts";
import type { ScriptPiece } from "./piece.ts";
import { placeHoles } from "./place-holes.ts";
import { withReferences } from "./reference.ts";

function placesIn(script: string): string[] {
  return placeHoles(piecesOf(script)).script.parts.flatMap((part) => (part.kind === "hole" ? [part.place] : []));
}

function referencesIn(script: string): string {
  return withReferences(placeHoles(piecesOf(script)).script, (id) => `v${id}`);
}

describe("G8 places of holes", () => {
  it("G8 tells bare words, quotes, here-documents and comments apart", () => {
    expect(placesIn("a {{.v}} \"{{.v}}\" '{{.v}}' # {{.v}}\ncat <<EOF\n{{.v}}\nEOF\n")).toEqual([
      "bare",
      "double quotes",
      "single quotes",
      "comment",
      "here-document",
    ]);
  });

  it("G8 writes a reference that fits each place", () => {
    expect(referencesIn("a x{{.v}} \"{{.v}}b\" '{{.v}}' # {{.v}}")).toBe(`a x"$v0" "\${v1}b" ''"$v2"'' # \${v3}`);
  });

  it("G8 takes the quotes off a here-document with a hole and escapes its own text", () => {
    expect(referencesIn("cat <<'EOF'\n\\ $x `y` {{.v}}\nEOF\n")).toBe("cat <<EOF\n\\\\ \\$x \\`y\\` ${v0}\nEOF\n");
  });

  it("G8 keeps a variable's name apart from the value behind it", () => {
    expect(referencesIn('a "$x\\\n{{.v}}" "$x"')).toBe('a "${x}\\\n${v0}" "$x"');
    expect(referencesIn('a "$x{{.v}}" $x{{.v}}\ncat <<EOF\n$x{{.v}} $1{{.v}}\nEOF\n')).toBe(
      'a "${x}${v0}" $x"$v1"\ncat <<EOF\n${x}${v2} $1${v3}\nEOF\n',
    );
  });

  it("G8 leaves a quoted here-document without holes as it is", () => {
    const script = "cat <<'EOF'\n\\ $x\nEOF\ncat <<\"EOF\" {{.v}}\n$y\nEOF\n";
    expect(referencesIn(script)).toBe(script.replace("{{.v}}", '"$v0"'));
  });

  it("G8 goes from one place to another in nested commands", () => {
    expect(placesIn('a "x $(b {{.v}} "{{.v}}" \'{{.v}}\') {{.v}}" {{.v}}')).toEqual([
      "bare",
      "double quotes",
      "single quotes",
      "double quotes",
      "bare",
    ]);
  });

  it("G8 gives markers no width and keeps them where they were", () => {
    const pieces: ScriptPiece[] = [
      { kind: "text", text: 'echo "$' },
      { kind: "marker", text: "<later>" },
      { kind: "hole", id: 7, source: "{{.x}}" },
      { kind: "text", text: '"' },
    ];
    const { script, problems } = placeHoles(pieces);
    expect(script.parts.map((part) => part.kind)).toEqual(["text", "marker", "hole", "text"]);
    expect(problems.map((problem) => problem.hole)).toEqual([7]);
    expect(() => withReferences(script, String)).toThrow("for reading");
  });

  it.each([...acceptedScripts, ...acceptedUnrun])("G8 accepts %j", (script) => {
    expect(placeHoles(piecesOf(script)).problems).toEqual([]);
  });
});

describe("G8 refused places", () => {
  it.each(refusedScripts)("G8 refuses $script", ({ script, hint }) => {
    const pieces = piecesOf(`# first line\n${script}`);
    const { problems } = placeHoles(pieces);
    const refused = pieces.filter((piece) => piece.kind === "hole");
    expect(problems.map((problem) => problem.hole)).toEqual(refused.map((hole) => hole.id));
    const linesBefore = script.slice(0, script.indexOf("{{.")).split("\n").length;
    expect(problems[0]!.line).toBe(1 + linesBefore);
    expect(problems[0]!.message).toContain(refused[0]!.source);
    expect(problems[0]!.hint).toContain(hint);
  });

  it("G8 reports all problems at once, one per hole, and leaves what is before and after alone", () => {
    const { problems } = placeHoles(piecesOf("log {{.a}}\neval {{.b}} $(({{.c}}))\nlog {{.d}}\n{{.e}} {{.f}}"));
    expect(problems.map(({ hole, line }) => [hole, line])).toEqual([
      [1, 2],
      [2, 2],
      [4, 4],
    ]);
  });

  it("G8 says where the text becomes unclear, and then refuses every hole", () => {
    const { problems } = placeHoles(piecesOf('log {{.a}}\nlog "open\n{{.b}}'));
    expect(problems.map(({ line, message }) => [line, message])).toEqual([
      [1, "{{.a}} cannot be placed: the double quote is never closed"],
      [3, "{{.b}} cannot be placed: the double quote is never closed"],
    ]);
  });

  it.each([
    ['echo\necho "open', 2, "the double quote is never closed", "Close it"],
    ["cat <<EOF\nx\n EOF\n", 1, "the here-document EOF is never closed", "without blanks before it"],
    ["echo $(ls", 1, "the parenthesis is never closed", "Close it"],
    ["echo {{.v}}\n'", 2, "the single quote is never closed", "Close it"],
  ])("G8 says of %j, with a hole or without, that no shell can read it", (script, line, message, hint) => {
    expect(placeHoles(piecesOf(script)).unclear).toEqual({ line, message, hint: expect.stringContaining(hint) });
  });

  it.each(["coproc ls", "echo $[1", "[[ a", "((1 << 2))", "echo fine"])("G8 leaves %j to its shell", (script) => {
    expect(placeHoles(piecesOf(script))).not.toHaveProperty("unclear");
  });

  it("G8 refuses holes beside a NUL of the script itself", () => {
    expect(placeHoles(piecesOf("log {{.a}}\nlog \0")).problems).toHaveLength(1);
  });

  it("G8 refuses values with a NUL", () => {
    const problems = checkValues(piecesOf("log {{.a}}\nlog {{.b}}"), (id) => (id === 1 ? "a\0b" : "ab"));
    expect(problems).toMatchObject([{ hole: 1, line: 2, message: expect.stringContaining("{{.b}} contains a NUL") }]);
  });
});

describe("G8 size", () => {
  it.each(['"$(', "$(", "(", "${x:-", "$((", "case x in x) ", 'a=("$(', '`"${x:-', "<("])(
    "G8 nesting of %s without end gives problems, not a stack overflow",
    (open) => {
      const { problems } = placeHoles(piecesOf(`${open.repeat(50_000)}log {{.v}}`));
      expect(problems).toHaveLength(1);
    },
  );

  it("G8 reads a script of 1 MB with 10,000 holes", () => {
    const line = `log --title={{.v}} "$(cat "$x" | head)" ${"word ".repeat(12)}# it's\n`;
    const { problems, script } = placeHoles(piecesOf(line.repeat(10_000)));
    expect(problems).toEqual([]);
    expect(script.parts.filter((part) => part.kind === "hole")).toHaveLength(10_000);
  });

  it("G8 reads a pipeline of 20,000 shells, and as many groups", () => {
    const line = "echo {{.v}} | ".repeat(20_000);
    expect(placeHoles(piecesOf(`${line.replaceAll("| ", "| sh | ")} cat`)).problems).toHaveLength(20_000);
    expect(placeHoles(piecesOf("{ sh; } | ".repeat(20_000) + "log {{.v}}")).problems).toEqual([]);
    expect(placeHoles(piecesOf("{ ".repeat(20_000) + "log {{.v}}")).problems).toHaveLength(1);
  });

  it("G8 reads one word, one line and one here-document of 1 MB", () => {
    const long = "\\\\x$y'z'".repeat(120_000);
    for (const script of [
      `log ${long}{{.v}}`,
      `log ${"a ".repeat(500_000)}{{.v}}`,
      `cat <<EOF\n${long}\n{{.v}}\nEOF`,
    ]) {
      expect(placeHoles(piecesOf(script)).problems).toEqual([]);
    }
  });
});
