import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Bead } from "../../contract/bead.ts";
import { appendLines, beadsIn, eachLine, findLine, idsIn, replaceLines, textOf } from "./bead-lines.ts";
import { spliceMembers } from "./splice-members.ts";

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
      { requiredKeys: ["id"] },
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
        const text = spliceMembers(textOf(bytes, placed), placed.bead, after);
        const changed = replaceLines(bytes, [{ ...placed, text }]);
        const before = linesOf(bytes);
        const now = linesOf(changed);
        const at = before.findIndex((_, index) => placeAt(bytes, index).start === placed.start);
        expect(now.toSpliced(at, 1)).toEqual(before.toSpliced(at, 1));
        expect(changed.subarray(0, 3).toString("hex") === "efbbbf").toBe(
          bytes.subarray(0, 3).toString("hex") === "efbbbf",
        );
        expect(changed.at(-1) === 10).toBe(bytes.at(-1) === 10);
        expect(JSON.parse(JSON.stringify(findLine(changed, id)?.bead))).toEqual(JSON.parse(JSON.stringify(after)));
      }),
      { numRuns: 500 },
    );
  });

  it("G2 adding a bead keeps all bytes before it and every bead there was", () => {
    fc.assert(
      fc.property(file, (bytes) => {
        const text = JSON.stringify({ id: "p-new", title: "New" });
        const after = appendLines(bytes, [text]);
        expect(after.subarray(0, bytes.length).equals(bytes)).toBe(true);
        expect(beadsIn(after).beads).toEqual([...beadsIn(bytes).beads, { id: "p-new", title: "New" }]);
        expect(idsIn(after)).toEqual([...idsIn(bytes), "p-new"]);
      }),
    );
  });

  it("G2 what did not change keeps its letters: numbers, escapes, spaces, order", () => {
    const line =
      '{"zeta": 12345678901234567890, "id": "p-a", "t\\u0065xt": "\\u003cb\\u003e", "status": "open", "n": 1.0}';
    const [before] = beadsIn(Buffer.from(line)).beads;
    const after = { ...before!, status: "closed", closed_at: "now" };
    expect(spliceMembers(line, before!, after)).toBe(
      '{"zeta": 12345678901234567890, "id": "p-a", "t\\u0065xt": "\\u003cb\\u003e", "status": "closed", "n": 1.0, "closed_at": "now"}',
    );
    const { status: _, ...without } = before!;
    expect(spliceMembers(line, before!, without as Bead)).toBe(
      '{"zeta": 12345678901234567890, "id": "p-a", "t\\u0065xt": "\\u003cb\\u003e", "n": 1.0}',
    );
  });

  it("G2 a damaged line of another bead does not matter, one of this bead is named", () => {
    const bytes = Buffer.from('{"id":"p-a","title":"A"}\n{"id":"p-b","depends_on_id":"p-a"\n\n{"id":"p-c",');
    expect(findLine(bytes, "p-a")?.bead.title).toBe("A");
    expect(() => findLine(bytes, "p-b")).toThrow(".beads/issues.jsonl:2: not a JSON object");
    expect(beadsIn(bytes).unreadable.map(({ place }) => place)).toEqual([
      ".beads/issues.jsonl:2",
      ".beads/issues.jsonl:4",
    ]);
  });
});

/** A damaged line of the bead itself is refused, which is right and tested elsewhere. */
function safeFind(bytes: Buffer, id: string): ReturnType<typeof findLine> {
  try {
    return findLine(bytes, id);
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
