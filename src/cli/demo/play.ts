import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CliContext } from "../context.ts";
import { Stage } from "./stage.ts";

/** The story of one session and of the task that follows, told with the commands a person or an agent would use. */
export async function playDemo(context: CliContext, keep: string | undefined): Promise<Played> {
  const stage = new Stage(context, keep);
  try {
    const sessionId = await tell(stage, context);
    return { session_id: sessionId, root: stage.kept ? stage.root : null };
  } finally {
    stage.tidy();
  }
}

interface Played {
  session_id: string;
  /** Where the repository was kept; null when it is gone. */
  root: string | null;
}

async function tell(stage: Stage, context: CliContext): Promise<string> {
  await stage.say("1. Somebody hands work to an agent. A session begins.");
  const id = await stage.clew(
    "session",
    "start",
    "Fix the login",
    "--channel",
    "dev",
    "--agent",
    "coder@2.1",
    "--model",
    "opus",
  );

  await stage.say(
    "2. The agent looks around. What it does is logged as it happens; each line is on disk when the command returns.",
  );
  await stage.clew("session", "log", "phase", "Research", "--agent", "coder@2.1", "--channel", "dev");
  await stage.clew("session", "log", "tool", "read", "--args", "src/login.ts", "--result", "142 lines");
  await stage.clew(
    "session",
    "log",
    "tool",
    "bash",
    "--args",
    "npm test",
    "--result",
    "2 of 40 failing: token expired too early",
    "--failed",
  );
  await stage.clew(
    "session",
    "log",
    "error",
    "Tokens expire at once: seconds were taken for milliseconds",
    "--resolution",
    "convert when the token is read",
  );
  await stage.clew(
    "session",
    "log",
    "decision",
    "Keep seconds in the token, as the standard says; convert in one place",
  );

  await stage.say("3. A person steps in. The exact words are kept, and what was done about them.");
  await stage.clew(
    "session",
    "log",
    "user",
    "Don't touch the database for this",
    "--action",
    "kept the change inside login.ts",
  );
  const question = await stage.clew(
    "session",
    "log",
    "decision_needed",
    "Log out everybody whose token is older than a day?",
  );
  await stage.clew("inbox");
  await stage.clew("inbox", "answer", question, "No, let them run out");

  await stage.say("4. Other agents help: inside the session, in a session of their own, or shown in place.");
  await stage.clew("session", "log", "phase", "Fix", "--agent", "coder@2.1");
  stage.run(["session", "log", "--batch", "-s", id], batch);
  await stage.clew(
    "session",
    "log",
    "subagent",
    "--agent",
    "linter@1",
    "--mode",
    "inline",
    "--tokens",
    "310",
    "--summary",
    "no findings in login.ts",
  );
  await stage.clew("session", "log", "subagent", "--agent", "tester@3", "--model", "haiku", "--mode", "link");
  await stage.clew(
    "session",
    "log",
    "subagent",
    "--agent",
    "tester@3",
    "--mode",
    "link",
    "--tokens",
    "2100",
    "--summary",
    "40 of 40 tests pass",
  );
  await stage.clew(
    "session",
    "log",
    "subagent",
    "--agent",
    "reviewer@1",
    "--model",
    "opus",
    "--mode",
    "embed",
    "--tokens",
    "1800",
    "--summary",
    "One place converts now, and it is tested",
  );

  await stage.say("5. Time for a break. The session knows where it stopped, and what the next agent must know.");
  await stage.clew("session", "pause");
  await stage.clew("session", "resume", id, "--print-context", "--budget", "1500");

  await stage.say("6. Later: what has been going on? Who failed how often? Where was that?");
  await stage.clew("session", "list");
  await stage.clew("session", "show", id);
  await stage.clew("session", "stats", "--by", "agent");
  await stage.clew("search", "seconds");

  await stage.say("7. All of this is one markdown file that you can read, edit, diff and commit:");
  const file = join(".clew/sessions", id, "session.md");
  const lines = readFileSync(join(stage.root, file), "utf8").split("\n");
  const head = lines.findIndex((line, at) => at > 0 && line === "---");
  await context.write(
    `${context.colors.dim("$")} cat ${file}\n${[...lines.slice(0, head).filter((line) => !line.startsWith("#")), ...lines.slice(head)].join("\n").replace(/^(?=.)/gm, "  ")}`,
  );

  await stage.say(
    "8. The next task is a bead, and a grimoire says how to work on it. A preview shows every prompt and command, and runs nothing. The bead's title is hostile on purpose: it stays one argument.",
  );
  stage.write(".beads/issues.jsonl", `${JSON.stringify(bead)}\n`);
  stage.write(".clew/grimoires/fix-bug.yaml", grimoire);
  await stage.clew("grimoire", "list");
  await stage.clew("grimoire", "preview", "fix-bug", "--bead", bead.id);

  await stage.say(
    "9. Now it runs. The engine is a scripted one, so that the demo needs no model; what it writes and what the tests say is real. In the second round somebody pulls the plug.",
  );
  stage.write("test.sh", tests);
  stage.write("script.yaml", script);
  stage.write(".clew/config.yaml", "engine: scripted\nengines: {scripted: {script: script.yaml}}\n");
  await stage.crash(["run", bead.id, "--grimoire", "fix-bug"], "fix-loop[2]/fix");
  await stage.clew("run", "list");

  await stage.say("10. The same command goes on where it stood: what was done is not done again.");
  await stage.clew("run", bead.id);
  await stage.clew("run", "show", bead.id);
  await stage.clew("session", "list", "--kind", "run");

  await stage.say("That was one session, and one run that a crash could not stop.");
  await context.write(
    stage.kept
      ? `Look around: cd ${stage.root}, then clew session show ${id}, clew run log ${bead.id}, clew search expired, clew doctor\n`
      : "To look around in it: clew demo --keep ./clew-demo. In your own repository: clew init\n",
  );
  return id;
}

const bead = {
  id: "demo-1",
  title: "Tell people why they were logged out; $(rm -rf ~)",
  description: "They only see the login page.",
  status: "open",
  priority: 1,
  issue_type: "bug",
};

const grimoire = `name: fix-bug
description: Mend it until the tests pass.
steps:
  - name: fix-loop
    type: loop
    max_iterations: 3
    steps:
      - name: fix
        type: agent
        timeout: 10m
        spell: |
          {{.bead.title}} ({{.bead.id}}), round {{.iteration}}.
          {{if .test_output}}The tests said: {{.test_output}}{{end}}
      - name: run-tests
        type: script
        command: sh test.sh
        output: test_output
        on_fail: continue
        on_success: exit_loop
  - name: tell
    type: script
    command: echo "mended {{.bead.id}}:" {{.bead.title}}
`;

/** Passes once the page tells the reason. */
const tests = `echo "2 tests"
grep -q away login.html && exit 0
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
`;

const tasks = [
  { id: "1", content: "Convert seconds in one place", status: "completed", priority: "high" },
  { id: "2", content: "Test tokens at the edge of expiry", status: "completed", priority: "high" },
  { id: "3", content: "Tell the other teams", status: "pending", priority: "low" },
];

/** What a hooked-up agent sends by itself: JSON lines into `clew session log --batch`. */
const batch = [
  { kind: "tasks", tasks },
  { kind: "tool", name: "edit", args: "src/login.ts", result: "1 hunk" },
  {
    kind: "tool",
    name: "write",
    args: 'test/login.test.ts\nimport { expiry } from "../src/login";\n\ntest("seconds", () => expiry(60) > now());',
    result: "12 lines",
  },
  { kind: "tool", name: "bash", args: "npm test", result: "40 passing" },
  { kind: "text", text: "The conversion now stands in `readToken`, and both edges are tested." },
  { kind: "tokens", tokens: 18400, model: "opus" },
]
  .map((entry) => `${JSON.stringify(entry)}\n`)
  .join("");
