import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Bead } from "../../contract/bead.ts";
import { appendedLines, beadsIn, eachLine, idsIn, replacedLines, beadLineText, textsIn } from "./bead-lines.ts";
import { findLine } from "./find-bead-line.ts";
import { lettersOf, spliceMembers } from "../../bead/splice-members.ts";

const shown = ".beads/issues.jsonl";

const ids = ["p-a", "p-b", "p-a.1", "p-ü"];

/** A line as files have them: beads in any style, other records, blanks, damage, bytes that are no text. */
const anyLine = fc.oneof(
  { weight: 4, arbitrary: beadLine() },
  {
    weight: 1,
    arbitrary: fc.constantFrom("", "  ", "{", '{"_type":"memory","id":"p-a"}', "[1]", "<<<<<<< HEAD", "null"),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes.filter((b) => b !== 10))) },
);

function beadLine(): fc.Arbitrary<string> {
  return fc
    .record(
      {
        id: fc.constantFrom(...ids),
        title: fc.string(),
        status: fc.constantFrom("open", "closed", "tombstone"),
        labels: fc.array(fc.string()),
        extra: fc.jsonValue(),
        priority: fc.nat(4),
      },
      { requiredKeys: ["id", "title"] },
    )
    .chain((bead) => fc.shuffledSubarray(Object.entries(bead), { minLength: Object.keys(bead).length }))
    .chain((entries) =>
      fc.constantFrom(
        JSON.stringify(Object.fromEntries(entries)),
        `{ ${entries.map(([name, value]) => `${JSON.stringify(name)} : ${JSON.stringify(value)}`).join(" , ")} }`,
      ),
    );
}

const file = fc
  .record({
    mark: fc.boolean(),
    lines: fc.array(anyLine, { maxLength: 8 }),
    end: fc.constantFrom("\n", "\r\n"),
    ended: fc.boolean(),
  })
  .map(({ mark, lines, end, ended }) => {
    const parts = lines.flatMap((each, at) => [
      Buffer.from(each),
      Buffer.from(at < lines.length - 1 || ended ? end : ""),
    ]);
    return Buffer.concat([Buffer.from(mark ? "\uFEFF" : ""), ...parts]);
  });

const change = fc.record(
  {
    title: fc.string(),
    status: fc.constantFrom("open", "closed"),
    labels: fc.option(fc.array(fc.string()), { nil: undefined }),
    updated_at: fc.string(),
    brand_new: fc.jsonValue() as fc.Arbitrary<string>,
  },
  { requiredKeys: [] },
);

describe("G2 one line of .beads/issues.jsonl", () => {
  it("G2 a change keeps every byte of every other line, and reads back as it was meant", () => {
    fc.assert(
      fc.property(file, fc.constantFrom(...ids), change, (bytes, id, fields) => {
        const placed = safeFind(bytes, id);
        if (!placed) return;
        const after: Bead = { ...placed.bead };
        for (const [name, value] of Object.entries(fields)) {
          if (value === undefined) delete after[name];
          else after[name] = value;
        }
        const text = spliceMembers(beadLineText(bytes, placed), placed.bead, after);
        const changed = Buffer.concat(replacedLines(bytes, [{ ...placed, text }]));
        const before = linesOf(bytes);
        const now = linesOf(changed);
        const at = before.findIndex((_, index) => placeAt(bytes, index).start === placed.start);
        expect(now.toSpliced(at, 1)).toEqual(before.toSpliced(at, 1));
        expect(changed.subarray(0, 3).toString("hex") === "efbbbf").toBe(
          bytes.subarray(0, 3).toString("hex") === "efbbbf",
        );
        expect(changed.at(-1) === 10).toBe(bytes.at(-1) === 10);
        expect(JSON.parse(JSON.stringify(findLine(changed, id, shown)?.bead))).toEqual(
          JSON.parse(JSON.stringify(after)),
        );
      }),
      { numRuns: 500 },
    );
  });

  it("G2 adding a bead keeps all bytes before it and every bead there was", () => {
    fc.assert(
      fc.property(file, (bytes) => {
        const text = JSON.stringify({ id: "p-new", title: "New" });
        const after = Buffer.concat(appendedLines(bytes, [text]));
        expect(after.subarray(0, bytes.length).equals(bytes)).toBe(true);
        expect(beadsIn(after, shown).beads).toEqual([...beadsIn(bytes, shown).beads, { id: "p-new", title: "New" }]);
        expect(idsIn(after)).toEqual([...idsIn(bytes), "p-new"]);
      }),
    );
  });

  it("G2 what did not change keeps its letters: numbers, escapes, spaces, order", () => {
    const line =
      '{"zeta": 12345678901234567890, "id": "p-a", "title": "A", "t\\u0065xt": "\\u003cb\\u003e", "status": "open", "n": 1.0}';
    const [before] = beadsIn(Buffer.from(line), shown).beads;
    const after = { ...before!, status: "closed", closed_at: "now" };
    expect(spliceMembers(line, before!, after)).toBe(
      '{"zeta": 12345678901234567890, "id": "p-a", "title": "A", "t\\u0065xt": "\\u003cb\\u003e", "status": "closed", "n": 1.0, "closed_at": "now"}',
    );
    const { status: _, ...without } = before!;
    expect(spliceMembers(line, before!, without as Bead)).toBe(
      '{"zeta": 12345678901234567890, "id": "p-a", "title": "A", "t\\u0065xt": "\\u003cb\\u003e", "n": 1.0}',
    );
  });

  it("G2 values from another line come with its letters, and the rest keeps its own", () => {
    const line = '{"id": "p-a", "title": "A", "n": 1.0, "gone": 1, "kept": 2.50}';
    const other = '{"id":"p-a","title":"\\u0041","n":12345678901234567891,"new":1e400,"n":12345678901234567890}';
    const before = JSON.parse(line) as Bead;
    const { gone: _, ...rest } = before;
    const after = { ...rest, ...(JSON.parse(other) as Bead) };
    expect(spliceMembers(line, before, after, lettersOf(other))).toBe(
      '{"id": "p-a", "title": "\\u0041", "n": 12345678901234567890, "kept": 2.50, "new": 1e400}',
    );
  });

  it.each([
    ['{"id":"","title":"A"}', "no id"],
    ['{"id":7,"title":"A"}', "no id"],
    ['{"id":"p-a"}', "title is missing"],
    ['{"id":"p-a","title":{}}', "title must be a text"],
    ['{"id":"p-a","title":"A","labels":"x"}', "labels must be a list of texts"],
    ['{"id":"p-a","title":"A","labels":[1]}', "labels must be a list of texts"],
    [
      '{"id":"p-a","title":"A","dependencies":{"depends_on_id":"x"}}',
      "dependencies must be a list of objects with depends_on_id",
    ],
    ['{"id":"p-a","title":"A","dependencies":["x"]}', "dependencies must be a list of objects with depends_on_id"],
    ['{"id":"p-a","title":"A","status":1}', "status must be a text"],
    ['{"id":"p-a","title":"A","priority":"high"}', "priority must be a number"],
    [Buffer.from([...Buffer.from('{"id":"p-a","title":"'), 0xff, 0x22, 0x7d]), "not UTF-8"],
  ])("G2 %s is damaged, and an older line does not stand for it", (line, reason) => {
    const bytes = Buffer.concat([Buffer.from('{"id":"p-a","title":"Old"}\n'), Buffer.from(line)]);
    const { beads, unreadable } = beadsIn(bytes, shown);
    expect(unreadable).toEqual([{ place: ".beads/issues.jsonl:2", reason }]);
    if (reason === "no id") return;
    expect(beads).toEqual([]);
    expect(textsIn(bytes)).toEqual([]);
    expect(() => findLine(bytes, "p-a", shown)).toThrow(`.beads/issues.jsonl:2: ${reason}`);
  });

  it("G2 values that nobody knows make no line damaged", () => {
    const odd = {
      id: "p-ü",
      title: "",
      status: "wip",
      priority: 9,
      issue_type: "x",
      defer_until: "soon",
      labels: null,
    };
    expect(beadsIn(Buffer.from(JSON.stringify(odd)), shown)).toEqual({ beads: [odd], unreadable: [], deleted: [] });
    const gone = '{"id":"p-a","status":"tombstone","labels":"?"}';
    expect(beadsIn(Buffer.from(gone), shown)).toEqual({ beads: [], unreadable: [], deleted: [JSON.parse(gone)] });
  });

  it("G2 a damaged line of another bead does not matter, one of this bead is named", () => {
    const bytes = Buffer.from('{"id":"p-a","title":"A"}\n{"id":"p-b","depends_on_id":"p-a"\n\n{"id":"p-c",');
    expect(findLine(bytes, "p-a", shown)?.bead.title).toBe("A");
    expect(() => findLine(bytes, "p-b", shown)).toThrow(".beads/issues.jsonl:2: not a JSON object");
    expect(beadsIn(bytes, shown).unreadable.map(({ place }) => place)).toEqual([
      ".beads/issues.jsonl:2",
      ".beads/issues.jsonl:4",
    ]);
  });
});

/** A damaged line of the bead itself is refused, which is right and tested elsewhere. */
function safeFind(bytes: Buffer, id: string): ReturnType<typeof findLine> {
  try {
    return findLine(bytes, id, shown);
  } catch {
    return undefined;
  }
}

function placeAt(bytes: Buffer, index: number): { start: number; end: number } {
  return [...eachLine(bytes)][index]!;
}

function linesOf(bytes: Buffer): string[] {
  return [...eachLine(bytes)].map(({ start, end }) => bytes.toString("latin1", start, end));
}
