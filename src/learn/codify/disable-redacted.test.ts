import { expect, test } from "vitest";
import type { Grimoire, Step } from "../../contract/grimoire.ts";
import { readGrimoire } from "../../grimoire/definition/read-grimoire.ts";
import { writeGrimoire } from "../../grimoire/definition/write-grimoire.ts";
import { disableRedacted } from "./disable-redacted.ts";

const mark = "[redacted:github-token]";

/** The steps as they are behind it, with what was noted. They are read back as they were written. */
function disabled(steps: string): { steps: Step[]; notes: string[] } {
  const read = readGrimoire(`name: a\ndescription: A\nsteps:\n${steps}`, "a.yaml");
  expect(read.problems).toEqual([]);
  const notes: string[] = [];
  const grimoire: Grimoire = disableRedacted(read.grimoire!, (note) => notes.push(note));
  expect(readGrimoire(writeGrimoire(grimoire), "a.yaml").grimoire).toEqual(grimoire);
  return { steps: grimoire.steps, notes };
}

const check = `  - {name: check, type: script, command: "curl '${mark}'", output: said}\n`;
const ofCheck = `check does not run: put what it needs in the place of ${mark}, and take its "when: false" away`;

test.each([
  ["a merge that it is a condition of", '{name: land, type: merge, when: "{{.check.success}}"}'],
  ["a merge behind it that asks for the previous step", '{name: land, type: merge, when: "{{.previous.success}}"}'],
  ["a merge that verifies with what it gave", "{name: land, type: merge, verify: 'test x = {{.said}}'}"],
  ["a script that takes what it gave", '{name: land, type: script, command: "echo {{.check.output}}"}'],
  ["an agent whose gate asks for it", '{name: land, type: agent, spell: s, requires: [{command: "echo {{.said}}"}]}'],
])("S13 a step that is disabled for a redacted secret takes along %s", (_, step) => {
  const { steps, notes } = disabled(`  - {name: first, type: script, command: ls}\n${check}  - ${step}\n`);
  expect(steps.map(({ when }) => when)).toEqual([undefined, false, false]);
  expect(notes).toEqual([ofCheck, expect.stringMatching(/^land does not run: .* asks for a step that is not here/)]);
});

test("S13 a step takes along those that ask for what it took along, and no others", () => {
  const { steps, notes } = disabled(`${check}  - {name: next, type: script, command: "echo {{.said}}"}
  - {name: last, type: merge, when: "{{default false .next.success}}"}
  - {name: other, type: merge, when: "{{.bead.ready}}"}
`);
  expect(steps.map(({ when }) => when)).toEqual([false, false, false, "{{.bead.ready}}"]);
  expect(notes).toHaveLength(3);
});

test("S13 a loop that only a disabled step ends does not run, nor does what asks for it", () => {
  const { steps } = disabled(`  - name: again
    type: loop
    steps:
      - {name: look, type: script, command: "curl '${mark}'", on_success: exit_loop}
      - {name: mend, type: agent, spell: mending}
  - {name: land, type: merge, when: "{{.again.success}}"}
`);
  expect(steps.map(({ when }) => when)).toEqual([false, false]);
});

test("S13 a mark in a loop's own condition disables it", () => {
  const { steps } = disabled(`  - name: again
    type: loop
    when: '{{eq .bead.title "${mark}"}}'
    steps: [{name: look, type: script, command: ls}]
`);
  expect(steps[0]!.when).toBe(false);
});

test("S13 blocks of a spell that ask for a missing step go as a whole, and the rest stays", () => {
  const spell = `      # Build
      {{if .said}}
      It said:
      {{.said}}
      {{else if .bead.title}}
      Nothing.
      {{end}}
      {{if .bead.title}}
      Do it.
      {{end}}
`;
  const { steps, notes } = disabled(`${check}  - name: build\n    type: agent\n    spell: |\n${spell}`);
  expect(steps[1]).toMatchObject({ spell: "# Build\n{{if .bead.title}}\nDo it.\n{{end}}\n" });
  expect(notes).toEqual([ofCheck, "build: lines of its spell that ask for what is not here are left out"]);
});

test("S13 a spell that cannot do without a missing step is not said at all", () => {
  const spell = "      {{$x := .said}}\n      Take {{$x}}.\n";
  const { steps } = disabled(`${check}  - name: build\n    type: agent\n    spell: |\n${spell}`);
  expect(steps[1]!.when).toBe(false);
});
