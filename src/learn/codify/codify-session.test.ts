import { describe, expect, test } from "vitest";
import type { Bead } from "../../contract/bead.ts";
import type { AgentStep, LoopStep, MergeStep, ScriptStep, Step } from "../../contract/grimoire.ts";
import type { Entry, SessionDocument } from "../../contract/session.ts";
import type { Codified } from "./codified.ts";
import { codifySession } from "./codify-session.ts";

type PhaseOf = [title: string, ...entries: Entry[]];

const ran = (args: string, failed = false): Entry => ({ kind: "tool", name: "Bash", args, result: "", failed });
const edited = (args: string): Entry => ({ kind: "tool", name: "Edit", args, result: "ok", failed: false });
const question = (id: string, text: string): Entry => ({ kind: "approval_required", text, id });
const answer = (id: string, text: string): Entry => ({ kind: "answer", id, text });

function codify(...phases: PhaseOf[]): Codified {
  const document = {
    frontmatter: { title: "Work" },
    tasks: [],
    phases: phases.map(([title, ...entries]) => ({
      id: "p",
      title,
      agent: null,
      channel: null,
      started: null,
      entries,
    })),
  } as unknown as SessionDocument;
  const bead = { id: "proj-a3f", title: "Mend the door" } as Bead;
  return codifySession(document, {
    folders: { roots: ["/repo"], worktrees: ["/repo/.worktrees"] },
    bead,
    toAscii: (text) => text,
  })!;
}

const kinds = ({ grimoire }: Codified): string[] => grimoire.steps.map(({ name, type }) => `${name} ${type}`);
/** Without what is said of the merge at the end. */
const otherNotes = ({ notes }: Codified): string[] => notes.filter((note) => !note.startsWith("a merge with a review"));
const commandOf = (step: Step | undefined): string => (step as ScriptStep).command;

describe("S13 commands", () => {
  test.each([
    ["/repo/run.sh --fast", "./run.sh --fast"],
    ["/repo/bin/run /repo/src/a.ts", "bin/run src/a.ts"],
    ["/repo/a=b/run", "./a=b/run"],
    ["cat /repo/-n", "cat ./-n"],
  ])("S13 %s is run as %s", (command, script) => {
    expect(commandOf(codify(["Run", ran(command)]).grimoire.steps[0])).toBe(script);
  });

  test.each([
    ["bd close proj-a3f", "bd close {{.bead.id}}"],
    ["bd close proj-a3f.2", "bd close proj-a3f.2"],
    ["bd close old-proj-a3f", "bd close old-proj-a3f"],
    ["bd close proj-a3f-old", "bd close proj-a3f-old"],
    ["bd show --id=proj-a3f", "bd show --id={{.bead.id}}"],
  ])("S13 of the bead's id, %s becomes %s", (command, script) => {
    expect(commandOf(codify(["Run", ran(command)]).grimoire.steps[0])).toBe(script);
  });

  test("S13 the bead's id at the end of a sentence is a variable", () => {
    const { grimoire } = codify(["Think", { kind: "decision", text: "Close proj-a3f." }]);
    expect((grimoire.steps[0] as AgentStep).spell).toContain("Close {{.bead.id}}.");
  });
});

describe("S13 approvals", () => {
  test("S13 an answer in a later phase approves what an earlier one asked", () => {
    const codified = codify(["Build", edited("a.ts"), question("q1", "Merge it?")], ["Answer", answer("q1", "yes")]);
    expect([kinds(codified), codified.notes]).toEqual([["build agent", "merge-it merge"], []]);
  });

  test("S13 the answer to a permission is no decision", () => {
    const asks = question("q1", "build: may its agent use Bash?");
    const { grimoire } = codify(["Build", edited("a.ts"), asks, answer("q1", "yes")]);
    expect((grimoire.steps[0] as AgentStep).spell).not.toContain("decided");
  });

  test.each(["yes", "Yes, go ahead", "y", "ok!", "LGTM", "do it", "Do it, please", "fine by me", "go ahead and merge"])(
    "S13 the answer %s approves",
    (text) => {
      const codified = codify(["Build", edited("a.ts"), question("q1", "Merge it?"), answer("q1", text)]);
      expect(kinds(codified)).toEqual(["build agent", "merge-it merge"]);
    },
  );

  test.each(["fine-tune it first", "do it again with tests", "no", "yesterday's is better", "okay-ish"])(
    "S13 the answer %s does not approve",
    (text) => {
      const codified = codify(["Build", edited("a.ts"), question("q1", "Merge it?"), answer("q1", text)]);
      expect(kinds(codified)).toEqual(["build agent", "merge merge"]);
      expect(otherNotes(codified)).toEqual(["Build: no step was made of what was not approved: Merge it?"]);
    },
  );
});

describe("S13 loops", () => {
  const implement: PhaseOf = ["Implement", edited("a.ts"), ran("npm test", true)];

  test("S13 a command that passes in a loop passed, and what was approved in it is merged behind it", () => {
    const codified = codify(
      implement,
      ["Test", ran("npm test", true)],
      ["Fix", edited("a.ts"), question("q1", "Merge it?"), answer("q1", "yes")],
      ["Test", ran("npm test")],
    );
    expect(kinds(codified)).toEqual(["implement agent", "test-loop loop", "merge-it merge"]);
    expect(codified.notes).toEqual([]);
  });

  test("S13 a command that a loop's fix made pass is its gate, but not the loop's own test", () => {
    const codified = codify(
      ["Implement", edited("a.ts"), ran("npm run lint", true)],
      ["Test", ran("npm test", true)],
      ["Fix", edited("a.ts"), ran("npm run lint"), ran("npm test")],
      ["Test", ran("npm test")],
    );
    const [, fix] = (codified.grimoire.steps[1] as LoopStep).steps as [ScriptStep, AgentStep];
    expect(fix.requires).toMatchObject([{ command: "npm run lint" }]);
    expect(otherNotes(codified)).toEqual([]);
  });

  test("S13 an approval between tests is a merge, and no fix", () => {
    const codified = codify(
      ["Test", ran("npm test", true)],
      ["Fix", edited("a.ts")],
      ["Ask", question("q1", "Merge it?"), answer("q1", "yes")],
      ["Test", ran("npm test")],
    );
    expect(kinds(codified)).toEqual(["test-loop loop", "ask merge"]);
    expect((codified.grimoire.steps[0] as LoopStep).steps.map(({ name }) => name)).toEqual(["test", "fix"]);
  });

  test("S13 what a loop did not bring to pass is told once, and not at all when it passes later", () => {
    const failing: PhaseOf[] = [
      ["Test", ran("npm test", true)],
      ["Fix", edited("a.ts"), question("q1", "Merge it?")],
      ["Test", ran("npm test", true)],
    ];
    expect(otherNotes(codify(...failing))).toEqual([
      "Fix: no answer was given: Merge it?",
      "failed, and was not seen to pass afterwards: npm test",
    ]);
    const mended = codify(...failing, ["Polish", edited("b.ts"), ran("npm test")]);
    expect(otherNotes(mended)).toEqual(["Fix: no answer was given: Merge it?"]);
    expect((mended.grimoire.steps[1] as AgentStep).requires).toMatchObject([{ command: "npm test" }]);
  });
});

test.each([
  ["Fix login in src/auth/login.ts", "fix-login-in-src-auth-login-ts"],
  ["Add TLS/SSL support", "add-tls-ssl-support"],
  ["quality-loop[2]/run-tests", "run-tests"],
  ["outer[1]/inner_loop[12]/fix[3]", "fix"],
])("S13 the phase %s is the step %s", (title, name) => {
  expect(codify([title, edited("a.ts")]).grimoire.steps[0]?.name).toBe(name);
});

describe("S13 what was done lands", () => {
  const mergeOf = ({ grimoire }: Codified): MergeStep => grimoire.steps.at(-1) as MergeStep;
  const build: PhaseOf = ["Build", edited("a.ts")];

  test("S13 a session without a merge ends in one with a review, and a note says why", () => {
    const codified = codify(build);
    expect(mergeOf(codified)).toEqual({ name: "merge", type: "merge", require_review: true, strategy: "merge" });
    expect(codified.notes).toEqual([
      "a merge with a review was added at the end, because no merge stands behind the session's last work, which would not land; no plain test command was seen to pass, so it verifies nothing: give it a verify",
    ]);
  });

  test("S13 so does one that went on behind its merge", () => {
    const approved: PhaseOf = ["Ask", question("q1", "Merge it?"), answer("q1", "yes")];
    expect(kinds(codify(build, approved, ["Polish", edited("b.ts")]))).toEqual([
      "build agent",
      "ask merge",
      "polish agent",
      "merge merge",
    ]);
    expect(kinds(codify(build, approved))).toEqual(["build agent", "ask merge"]);
  });

  test.each<[string | undefined, ...Entry[]]>([
    ["npm test", ran("npm test", true), ran("npm test")],
    ["npm test", ran("npm test"), ran("npm test -- a.test.ts")],
    [undefined, ran("npm test"), ran("npm test", true)],
    [undefined, ran("npm test | tail")],
    [undefined, ran("test -f a.ts"), ran("npm install")],
    ["npx vitest run", ran("npx vitest run")],
    ["python3 -m pytest -q", ran("python3 -m pytest -q")],
    ["cargo test", ran("cargo test")],
    ["node --test", ran("node --test")],
    ["make check", ran("make check")],
    ["./test.sh", ran("./test.sh")],
  ])("S13 it verifies with %s", (verify, ...entries) => {
    expect(mergeOf(codify([...build, ...entries])).verify).toBe(verify);
  });

  test("S13 the tests of a loop are what a merge behind it verifies with", () => {
    const codified = codify(
      ["Check", ran("sh check-it.sh", true)],
      ["Fix", edited("a.ts"), ran("npm test")],
      ["Check", ran("sh check-it.sh")],
    );
    expect(mergeOf(codified)).toMatchObject({ type: "merge", verify: "sh check-it.sh", shell: "sh" });
    expect(codified.notes.join()).toContain("it verifies with sh check-it.sh");
  });
});
