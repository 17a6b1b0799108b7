import { expect, it } from "vitest";
import type { Grimoire, Step } from "../../contract/grimoire.ts";
import { pinSpells } from "./pin-spells.ts";

const files: Record<string, string> = {
  "review.md": 'Review. {{include "rules.md"}}',
  "rules.md": '{{if .x}}{{include "deep.md" a="b"}}{{end}}',
  "deep.md": "Deep.",
  "other.md": "Other.",
  "circle.md": '{{include "circle.md"}}',
};
const shelf = {
  spell: (name: string) =>
    files[name] === undefined ? undefined : { origin: "repository", file: name, text: files[name] },
  spellNames: () => Object.keys(files),
};
const pinnedBy = (...steps: Partial<Step>[]): string[] =>
  Object.keys(pinSpells({ name: "g", description: "", steps: steps as Step[] } satisfies Grimoire, shelf)).sort();

it("G16 takes the spells that steps name, with all partials below, each by its file", () => {
  expect(pinnedBy({ name: "a", type: "agent", spell: "review", input: {} })).toEqual([
    "deep.md",
    "review.md",
    "rules.md",
  ]);
  expect(pinnedBy({ name: "a", type: "agent", spell: "circle", input: {} })).toEqual(["circle.md"]);
});

it("G16 takes partials of inline spells, commands, inputs and conditions, also in loops", () => {
  const inner: Partial<Step>[] = [
    { name: "a", type: "agent", spell: 'Two lines\n{{include "deep.md"}}', input: {} },
    { name: "b", type: "script", command: 'echo {{include "other.md"}}', input: {} },
  ];
  expect(pinnedBy({ name: "l", type: "loop", steps: inner as Step[] })).toEqual(["deep.md", "other.md"]);
  expect(pinnedBy({ name: "c", type: "script", command: "x", input: { a: [{ b: '{{include "deep.md"}}' }] } })).toEqual(
    ["deep.md"],
  );
  expect(pinnedBy({ name: "v", type: "merge", verify: 'make {{include "deep.md"}}' })).toEqual(["deep.md"]);
  expect(pinnedBy({ name: "d", type: "merge", when: '{{eq (include "other.md") "x"}}' })).toEqual(["other.md"]);
});

it("G16 takes all of them when only rendering can tell the name", () => {
  expect(pinnedBy({ name: "a", type: "script", command: "echo {{include .name}}", input: {} })).toEqual(
    Object.keys(files).sort(),
  );
});
