import { readdirSync, readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyGrimoire } from "../../../test/support/any-grimoire.ts";
import type { Grimoire } from "../../contract/grimoire.ts";
import { readGrimoire } from "./read-grimoire.ts";
import { writeGrimoire } from "./write-grimoire.ts";

const folder = new URL("../../../builtins/grimoires/", import.meta.url);

function read(text: string): Grimoire {
  const { grimoire, problems } = readGrimoire(text, "a.yaml");
  expect(problems).toEqual([]);
  return grimoire!;
}

describe("S13 the canonical YAML of a grimoire", () => {
  it.each(readdirSync(folder))("S13 %s comes back as it is, and is written the same again", (name) => {
    const grimoire = read(readFileSync(new URL(name, folder), "utf8"));
    const text = writeGrimoire(grimoire);
    expect(read(text)).toEqual(grimoire);
    expect(writeGrimoire(read(text))).toBe(text);
  });

  it("S13 so does every grimoire that can be checked", () => {
    fc.assert(
      fc.property(anyGrimoire, (grimoire) => {
        const text = writeGrimoire(grimoire);
        expect(read(text)).toEqual(grimoire);
        expect(writeGrimoire(read(text))).toBe(text);
      }),
    );
  });

  it("S13 leaves defaults out, and shows scripts as lines", () => {
    const written = read(
      'name: a\ndescription: b\nsteps:\n- {name: c, type: script, shell: sh, command: "x\\ny\\n"}\n',
    );
    expect(writeGrimoire(written)).toBe(
      "name: a\ndescription: b\nsteps:\n  - name: c\n    type: script\n    command: |\n      x\n      y\n",
    );
  });
});
