import fc from "fast-check";
import { expect, test } from "vitest";
import type { Bead } from "../../contract/bead.ts";
import { allSteps } from "../../contract/grimoire.ts";
import type { Entry, SessionDocument } from "../../contract/session.ts";
import { readGrimoire } from "../../grimoire/definition/read-grimoire.ts";
import { writeGrimoire } from "../../grimoire/definition/write-grimoire.ts";
import { parseTemplate } from "../../grimoire/template/parse.ts";
import { findReferences } from "../../grimoire/template/references.ts";
import { checkSkill } from "./check-skill.ts";
import { codifySession } from "./codify-session.ts";
import { commonOf } from "./common-steps.ts";
import { namesSet } from "./missing-names.ts";
import { skillText } from "./skill.ts";

const runs = { numRuns: Number(process.env["CLEW_PROPERTY_RUNS"] ?? 300) };
const bead = { id: "proj-1", title: "Fix the login", description: "It fails after an hour" } as Bead;

/** What templates, YAML, Markdown, terminals and shells would read as their own. */
const spice = fc.constantFrom(
  ...'{ {{ }} {{.secret}} {{raw .x}} {{include "x"}} {{- /* {\\{ \' " ` $( $HOME ; && | > < # ## --- ... ``` ~~~ !!str &a *a : ? @ % \\'.split(
    " ",
  ),
  "$(touch x)",
  "- ",
  "\n",
  "\r",
  "\t",
  "\u0000",
  "\u001B[31m",
  "\u202E",
  "\uD800",
  "\u2028",
  "<!--",
  "<script>",
  "\n---\n",
  "proj-1",
  "Fix the login",
  "{Fix the login}",
  "It fails after an hour",
  "name: x",
  "clew run",
  "[redacted:github-token]",
  "true",
  "test",
  "1",
);
const text = fc
  .array(fc.oneof(spice, fc.string({ unit: "binary", maxLength: 6 })), { minLength: 1, maxLength: 6 })
  .chain((parts) => fc.constantFrom(parts.join(""), parts.join(" ")));

const entry: fc.Arbitrary<Entry> = fc.oneof(
  fc.record({
    kind: fc.constant("tool" as const),
    name: fc.constantFrom("Bash", "sh", "Read", "Write", "odd"),
    args: text,
    result: text,
    failed: fc.boolean(),
  }),
  fc.record({ kind: fc.constantFrom("decision" as const, "text" as const, "task_complete" as const), text }),
  fc.record({ kind: fc.constant("user" as const), text }),
  fc.record({ kind: fc.constant("error" as const), text, resolution: text }),
);
const phase = fc.record({
  id: fc.constant("phase-1"),
  title: text,
  agent: fc.option(fc.constantFrom("coder", "scout@1.2")),
  channel: fc.constant("dev"),
  started: fc.constant(null),
  entries: fc.array(entry, { maxLength: 5 }),
});
const session = fc
  .record({ title: text, phases: fc.array(phase, { minLength: 1, maxLength: 5 }) })
  .map(({ title, phases }) => ({ frontmatter: { title }, tasks: [], phases }) as unknown as SessionDocument);
const options = {
  folders: { roots: ["/repo"], worktrees: ["/repo/.worktrees"] },
  bead,
  toAscii: (each: string) => each,
};

function expectSound(codified: ReturnType<typeof codifySession>): void {
  if (!codified) return;
  const { grimoire } = codified;
  const written = writeGrimoire(grimoire);
  const read = readGrimoire(written, "workflow.yaml");
  expect(read.problems).toEqual([]);
  expect(read.grimoire).toEqual(grimoire);
  expect(written).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F\u202A-\u202E]/);
  const names = new Set(["bead", ...namesSet(allSteps(grimoire.steps))]);
  for (const step of allSteps(grimoire.steps)) {
    if (step.type !== "agent" && step.type !== "script") continue;
    const templates =
      step.type === "script"
        ? [step.command]
        : [step.spell, ...(step.requires ?? []).map((gate) => ("command" in gate ? gate.command : ""))];
    for (const template of templates) {
      const asked = findReferences(parseTemplate("a", template)).map(({ path }) => path[0]);
      expect(asked.filter((name) => !names.has(name!))).toEqual([]);
    }
    if (step.type === "script")
      expect(step.command.replace(/\{\{\.bead\.(?:id|title|description)\}\}/g, "")).not.toContain("{{");
  }
  const skill = skillText(codified, () => undefined);
  expect(checkSkill(skill, "SKILL.md")).toEqual([]);
}

test("S13 whatever a session says, its workflow is read back as it was written, and asks for nothing but what is there", () => {
  fc.assert(
    fc.property(session, (document) => expectSound(codifySession(document, options))),
    runs,
  );
});

test("S13 the same holds of what two sessions have in common", () => {
  fc.assert(
    fc.property(session, session, (one, other) => {
      const both = [one, other].flatMap((document) => codifySession(document, options) ?? []);
      expectSound(commonOf(both));
    }),
    runs,
  );
});
