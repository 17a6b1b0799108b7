import type { DemoStage } from "./stage.ts";

/**
 * One bead from its first line to its merge: a crash, a resume and a review on the way. Returns its id. `engine` is the
 * person's own; the scripted one plays when it is undefined.
 */
export async function tellBead(stage: DemoStage, engine: string | undefined): Promise<string> {
  stage.write("test.sh", tests);
  stage.write("login.html", "<p>Log in</p>\n");
  stage.write(".beads/config.yaml", "issue-prefix: demo\n");
  stage.write(".clew/grimoires/fix-bug.yaml", grimoire(engine === undefined ? "" : task));
  stage.write(".clew/config.yaml", engine === undefined ? scriptedSettings : ownSettings(engine));
  if (engine === undefined) stage.write(".clew/demo-engine.yaml", script);
  stage.quietGit("add", "--all");
  stage.quietGit("commit", "-q", "-m", "A login page and its tests");

  await stage.tell(
    "8. The next tasks are beads, and one waits for the other. The first title is hostile on purpose: it stays one argument, wherever it goes.",
  );
  const id = await stage.clew("bead create", title, ..."-t bug -p 1 -l grimoire:fix-bug".split(" "));
  await stage.clew(`bead create "Announce it" --dep ${id}`);
  await stage.clew("bead graph");
  await stage.clew("bead ready");

  await stage.tell("9. A grimoire says how to work on it. A preview shows every prompt and command, and runs nothing.");
  await stage.clew(`grimoire preview fix-bug --bead ${id}`);

  const place = "10. Now it runs, in a worktree and on a branch of its own.";
  await stage.tell(
    engine === undefined
      ? `${place} The engine is a scripted one, so that the demo needs no model; what it writes and what the tests say is real. In the second round somebody pulls the plug.`
      : `${place} The engine is ${engine}, your own: what it does is up to its model. It has hardly begun when somebody pulls the plug.`,
  );
  stage.write("notes.txt", "my own unfinished work\n");
  await stage.crash(["run", id], engine === undefined ? "fix-loop[2]/fix" : "fix-loop[1]/fix");
  await stage.clew("run list");

  await stage.tell(
    "11. The same command goes on where it stood: what was done is not done again. The tests pass, and the run waits for a person.",
  );
  await stage.follow(4, `run ${id}`);

  await stage.tell(
    "12. The review: what would be merged, to the letter, and what was tested on that very tree. You want one thing changed: the run goes on with your words, and verifies what came of it.",
  );
  await stage.clew(`run diff ${id}`);
  await stage.follow(4, `run changes ${id} -m "Tell them that nothing is lost"`);

  await stage.tell("13. Approving is bound to exactly this. Nobody but a person can: what a step started is refused.");
  await stage.follow(0, `run approve ${id}`);

  await stage.tell("14. Merged and closed, the next bead is ready, and your own unfinished work is where it was.");
  await stage.git("log", "--oneline", "--graph");
  await stage.git("status", "--short", "--", "notes.txt", "login.html");
  await stage.clew("bead list --all");
  await stage.clew("bead ready");
  await stage.clew("session list --kind run");
  return id;
}

const title = "Tell people why they were logged out; $(rm -rf ~)";

const scriptedSettings = "engine: scripted\nengines: {scripted: {script: .clew/demo-engine.yaml}}\n";

/** Nobody sits before what an agent of the demo would ask for. */
const ownSettings = (engine: string): string => `engine: ${engine}\npermission_wait: 1m\n`;

/** What the scripted engine need not be told. */
const task = `
          The page is login.html: change nothing else. It has to say that they were away for an hour, in one line.
          sh test.sh tests it.`;

const grimoire = (hint: string): string => `name: fix-bug
description: Mend it until the tests pass, then merge it.
steps:
  - name: fix-loop
    type: loop
    max_iterations: 3
    steps:
      - name: fix
        type: agent
        agent: coder
        timeout: 10m
        spell: |
          {{.bead.title}} ({{.bead.id}}), round {{.iteration}}.${hint}
          {{if .test_output}}The tests said: {{.test_output}}{{end}}
        requires:
          - command: test -s login.html
      - name: run-tests
        type: script
        command: sh test.sh {{.bead.title}}
        output: test_output
        on_fail: continue
        on_success: exit_loop
  - name: review-loop
    type: loop
    max_iterations: 3
    steps:
      - name: revise
        type: agent
        agent: coder
        when: "{{default false .merge.failed}}"
        spell: |
          Revise it. The reviewer says: {{json .merge.output}}${hint}
      - name: merge
        type: merge
        verify: sh test.sh {{.bead.title}}
        on_changes: continue
        on_success: exit_loop
`;

/** Passes once the page tells the reason. */
const tests = `echo "2 tests for: $1"
grep -q away login.html && { echo "2 passing"; exit 0; }
echo "1 failing: the page does not tell why"
exit 1
`;

/** What the engine does: the first try is not good enough. */
const script = `turns:
  - when: round 1
    say: I put a line on the login page.
    write: {path: login.html, content: "<p>Please log in again.</p>\\n"}
    usage: {input: 2100, output: 160}
    result: {success: true, summary: The page says something now.}
  - when: round 2
    think: The tests want the reason.
    say: The reason was missing.
    write: {path: login.html, content: "<p>You were away for an hour. Please log in again.</p>\\n"}
    usage: {input: 2600, output: 190}
    delay_ms: 700
    result: {success: true, summary: The page tells why.}
  - when: Revise it
    say: The page now says that nothing is lost.
    write: {path: login.html, content: "<p>You were away for an hour, and nothing is lost. Please log in again.</p>\\n"}
    usage: {input: 1900, output: 120}
    result: {success: true, summary: The page says that nothing is lost.}
`;
