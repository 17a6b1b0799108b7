import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import {
  Damaged,
  innerText,
  readBlock,
  readValues,
  renderBlock,
  renderInPlace,
  renderRoomier,
  setValues,
} from "./frontmatter.ts";
import { readFrontmatter } from "./read.ts";
import { readYaml } from "./yaml.ts";

const text = fc.string({ unit: "binary", maxLength: 40 }).map((each) => each.toWellFormed());
const scalar = fc.oneof(
  text,
  fc.constantFrom(
    "true",
    "no",
    "null",
    "~",
    "1e5",
    "0x1f",
    "2026-11-15",
    "- x",
    "a: b",
    "a #b",
    "'",
    '"',
    "@x",
    "#x",
    "{",
    "[a]",
    "|",
    ">",
    "%",
    "é",
    "",
  ),
  fc.constantFrom("2026-11-15T09:30:12.000Z", "2026-11-15-fix-login", "researcher@1.2", "plain words here"),
  fc.nat(),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: 0, max: 1e9 }).map((value) => Math.round(value * 100) / 100),
);
const values = fc.dictionary(
  fc.stringMatching(/^[a-z_]{1,8}$/).filter((key) => key !== "__proto__"),
  fc.oneof(
    scalar,
    fc.array(text, { maxLength: 3 }),
    fc.array(fc.dictionary(fc.constantFrom("agent", "tokens"), scalar), { minLength: 1, maxLength: 2 }),
  ),
  { maxKeys: 6 },
);
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const runs = (usual: number) => ({ numRuns: Number(process.env["CLEW_PROPERTY_RUNS"] ?? usual) });

describe("frontmatter", () => {
  test("S1 what Clew writes, it reads back, and a YAML library reads the same", () => {
    fc.assert(
      fc.property(values, (given) => {
        const block = readBlock(`${renderBlock(given)}body`);
        expect(plain(readValues(block))).toEqual(plain(given));
        expect(plain(parse(innerText(block)) ?? {})).toEqual(plain(given));
      }),
      runs(1000),
    );
  });

  test("S1 whatever the small reader accepts, the library reads the same", () => {
    const line = fc
      .tuple(fc.constantFrom("title", "status", "x"), fc.oneof(text, scalar.map(String)))
      .map(([key, value]) => `${key}: ${value.replace(/[\r\n]/g, " ")}`);
    fc.assert(
      fc.property(line, (each) => {
        const read = readValues(readBlock(`---\n${each}\n---\n`));
        if (read !== undefined) expect(plain(readYaml(`${each}\n`))).toEqual(plain(read));
      }),
      runs(3000),
    );
  });

  test("S7 an update keeps the block's length to the byte while it fits, and doubles the room when it does not", () => {
    fc.assert(
      fc.property(values, values, (before, after) => {
        const file = renderBlock(before);
        const changed = setValues(readBlock(file), after);
        const inPlace = renderInPlace(changed, Buffer.byteLength(file));
        const written = inPlace ?? renderRoomier(changed);
        if (inPlace !== undefined) expect(Buffer.byteLength(inPlace)).toBe(Buffer.byteLength(file));
        expect(plain(readValues(readBlock(written)))).toEqual(plain({ ...before, ...after }));
      }),
      runs(500),
    );
  });

  test("S1 lines of keys that do not change survive byte for byte", () => {
    const file =
      "---\n# mine\ntype: session\nx-tags:   [a,  'b']   # odd\nnested:\n  - deep: {a: 1}\n\nstatus: active\n---\n";
    const changed = setValues(readBlock(file), { status: "paused", channel: "dev" });
    expect(innerText(changed)).toBe(
      "# mine\ntype: session\nx-tags:   [a,  'b']   # odd\nnested:\n  - deep: {a: 1}\n\nstatus: paused\nchannel: dev\n",
    );
  });

  test("S1 YAML in a person's own forms is read", async () => {
    const file =
      "---\ntype: session\nsession_id: '2026-11-15-x'\nstarted: 2026-11-15T10:00:00Z\nstatus: >-\n  active\nparticipants:\n  - a@1\n  - b\nmine: {deep: [1, 2]}\n---\n";
    expect(await readFrontmatter(readBlock(file))).toMatchObject({
      session_id: "2026-11-15-x",
      status: "active",
      participants: ["a@1", "b"],
      mine: { deep: [1, 2] },
    });
  });

  test.each([
    ["no frontmatter\n", "line 1: the file does not begin with the `---` of its frontmatter"],
    ["---\ntype: session\n", "the frontmatter that begins in line 1 has no closing `---`"],
    ["---\ntype: session\nstatus: [broken\n---\n", "line 4, column 1: "],
    [
      "---\ntype: session\nsession_id: a\nsession_id: b\n---\n",
      "line 4: `session_id` stands there a second time and says something else",
    ],
    ["---\ntype: note\n---\n", "frontmatter: type: must be `session`"],
    [
      "---\ntype: session\nsession_id: a\nstarted: yesterday\nstatus: active\n---\n",
      "frontmatter: started: must be an ISO 8601 time",
    ],
    [
      "---\ntype: session\nsession_id: a\nstarted: 2026-11-15T10:00:00Z\nstatus: done\n---\n",
      "frontmatter: status: must be one of active, paused",
    ],
  ])("S12 damage is told with its place: %j", async (file, reason) => {
    const read = async (): Promise<unknown> => readFrontmatter(readBlock(file));
    await expect(read()).rejects.toThrow(Damaged);
    await expect(read()).rejects.toThrow(reason);
  });

  test("an alias bomb is refused", () => {
    const bomb = [
      "a: &a [x, x]",
      ..."bcdefghijk"
        .split("")
        .map((key, at) => `${key}: &${key} [*${"abcdefghij"[at]}, *${"abcdefghij"[at]}, *${"abcdefghij"[at]}]`),
    ];
    expect(() => readYaml(bomb.join("\n"))).toThrow(/alias/i);
  });
});
