import { expect, test } from "vitest";
import { steersClew } from "./steers-clew.ts";

test.each([
  ".clew/config.yaml",
  ".beads/issues.jsonl",
  ".clew",
  ".CLEW/agents/dev.md",
  ".Beadſ/issues.jsonl",
  "./.clew/spells/a.md",
  ".//.clew//config.yaml",
  "src/../.clew/config.yaml",
  "src/a/../../.beads/x",
])("D6 T5 %s steers Clew", (path) => {
  expect(steersClew(path)).toBe(true);
});

test.each(["", "src/a.ts", "docs/.clew/config.yaml", ".clewd/x", "clew/x", ".beads.md", ".clew/../src/a.ts"])(
  "D6 T5 %s does not steer Clew",
  (path) => {
    expect(steersClew(path)).toBe(false);
  },
);
