import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dependenciesOf, type Bead } from "../../contract/bead.ts";
import { beadsIn } from "./bead-lines.ts";
import { beadsAround } from "./find-bead-line.ts";

const ids = ["p-a", "p-b", "p-a.1", "p-ü", "p/c", 'q"x'];

/** Some lines write their ids with escapes, which mean the same. */
const line = fc
  .record({
    id: fc.constantFrom(...ids),
    title: fc.constantFrom("Something", ...ids).map((text) => JSON.stringify(text).slice(1, -1)),
    targets: fc.array(fc.constantFrom(...ids, "p-gone"), { maxLength: 3 }),
    status: fc.constantFrom("open", "open", "closed", "tombstone"),
    write: fc.constantFrom(JSON.stringify, escapedText),
    key: fc.constantFrom('"id":', '"id":                              ', '"i\\u0064" : '),
    damage: fc.constantFrom("", "", "", "", "\xff"),
  })
  .map(({ id, title, targets, status, write, key, damage }) => {
    const dependencies = targets.map((target) => `{"issue_id":${write(id)}, "depends_on_id" : ${write(target)}}`);
    return `{"title":"${title}${damage}",${key}${write(id)},"status":"${status}","dependencies":[${dependencies.join(",")}]}`;
  });

const file = fc
  .array(line, { maxLength: 12 })
  .map((lines) =>
    Buffer.concat(lines.map((each) => Buffer.from(`${each}\n`, each.includes("\xff") ? "latin1" : "utf8"))),
  );

describe("beads around one", () => {
  it("G2 are those that reading every line finds to matter, in the same order", () => {
    fc.assert(
      fc.property(file, fc.constantFrom(...ids), (bytes, id) => {
        const all = beadsIn(bytes, "issues.jsonl").beads;
        const around = beadsAround(bytes, id);
        const wanted = idsAround(all, id);
        expect(around).toEqual(all.filter((bead) => around!.some((each) => each.id === bead.id)));
        expect(around!.map((bead) => bead.id)).toEqual(expect.arrayContaining([...wanted]));
      }),
    );
  });

  it("G2 are not looked for one by one when they are many", () => {
    const child = (at: number): string =>
      `{"id":"p-${at}","title":"T","dependencies":[{"depends_on_id":"p-${at + 1}"}]}\n`;
    const chain = (length: number): Buffer => Buffer.from(Array.from({ length }, (_, at) => child(at)).join(""));
    expect(beadsAround(chain(15), "p-0")).toHaveLength(15);
    expect(beadsAround(chain(100), "p-0")).toBeUndefined();
    const named = Buffer.from(
      Array.from({ length: 50 }, (_, at) => child(at).replace(`"p-${at + 1}"`, '"p-x"')).join(""),
    );
    expect(beadsAround(named, "p-x")).toBeUndefined();
  });
});

/** What tells of a bead: what it depends on, directly or over others, and who depends on it. */
function idsAround(all: Bead[], id: string): Set<string> {
  const found = new Set([id]);
  const targets = (bead: Bead): string[] => dependenciesOf(bead).map((each) => each.depends_on_id);
  for (const each of found)
    for (const bead of all) if (bead.id === each) targets(bead).forEach((target) => found.add(target));
  for (const bead of all) if (targets(bead).includes(id)) found.add(bead.id);
  const there = new Set(all.map((bead) => bead.id));
  return new Set([...found].filter((each) => there.has(each)));
}

function escapedText(text: string): string {
  return `"${[...text].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")}"`;
}
