import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CliContext } from "../context.ts";
import type { DemoStage } from "./stage.ts";

/** One session from its start to its file, told with the commands that a person or an agent would use. Returns its id. */
export async function tellSession(stage: DemoStage, context: CliContext): Promise<string> {
  await stage.tell("1. Somebody hands work to an agent. A session begins.");
  const id = await stage.clew('session start "Fix the login" --channel dev --agent coder@2.1 --model opus');

  await stage.tell(
    "2. The agent looks around. What it does is logged as it happens; each line is on disk when the command returns.",
  );
  await stage.clew("session log phase Research --agent coder@2.1 --channel dev");
  await stage.clew('session log tool read --args src/login.ts --result "142 lines"');
  await stage.clew(
    'session log tool bash --args "npm test" --result "2 of 40 failing: token expired too early" --failed',
  );
  await stage.clew(
    'session log error "Tokens expire at once: seconds were taken for milliseconds"',
    "--resolution",
    "convert when the token is read",
  );
  await stage.clew('session log decision "Keep seconds in the token, as the standard says; convert in one place"');

  await stage.tell("3. A person steps in. The exact words are kept, and what was done about them.");
  await stage.clew('session log user "Don\'t touch the database for this" --action "kept the change inside login.ts"');
  const question = await stage.clew('session log decision_needed "Log out everybody whose token is older than a day?"');
  await stage.clew("inbox");
  await stage.clew("inbox answer", question, "No, let them run out");

  await stage.tell("4. Other agents help: inside the session, in a session of their own, or shown in place.");
  await stage.clew("session log phase Fix --agent coder@2.1");
  stage.run(["session", "log", "--batch", "-s", id], batch);
  await stage.clew(
    'session log subagent --agent linter@1 --mode inline --tokens 310 --summary "no findings in login.ts"',
  );
  await stage.clew("session log subagent --agent tester@3 --model haiku --mode link");
  await stage.clew('session log subagent --agent tester@3 --mode link --tokens 2100 --summary "40 of 40 tests pass"');
  await stage.clew(
    "session log subagent --agent reviewer@1 --model opus --mode embed --tokens 1800",
    "--summary",
    "One place converts now, and it is tested",
  );

  await stage.tell("5. Time for a break. The session knows where it stopped, and what the next agent must know.");
  await stage.clew("session pause");
  await stage.clew(`session resume ${id} --print-context --budget 1500`);

  await stage.tell("6. Later: what has been going on? Who failed how often? Where was that?");
  await stage.clew("session list");
  await stage.clew(`session show ${id}`);
  await stage.clew("session stats --by agent");
  await stage.clew("search seconds");

  await stage.tell("7. All of this is one markdown file that you can read, edit, diff and commit:");
  const file = join(".clew/sessions", id, "session.md");
  const lines = readFileSync(join(stage.root, file), "utf8").split("\n");
  const head = lines.findIndex((line, at) => at > 0 && line === "---");
  const excerpt = [...lines.slice(0, head).filter((line) => !line.startsWith("#")), ...lines.slice(head)];
  await context.output.write(`${context.terminal.colors.dim("$")} cat ${file}\n`);
  await stage.print(excerpt.join("\n"));
  return id;
}

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
