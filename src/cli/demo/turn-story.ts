import type { DemoStage } from "./stage.ts";

/** Two turns of a session: a plan that is read before anything is done, another one in its place, and what takes it back. */
export async function tellTurns(stage: DemoStage, engine: string | undefined): Promise<void> {
  await stage.tell(
    "15. Smaller work goes turn by turn. An agent is shown the files you list and nothing else, has no tools, and answers with a plan: a file that you read first.",
  );
  if (engine === undefined) stage.write(".clew/demo-engine.yaml", script);
  stage.write(".clew/global.context", "# What every plan is shown\nlogin.html\n*.sh\n");
  await stage.clew("session new polite-page");
  await stage.clew("session context");
  await stage.clew('session plan -m "Greet people on the login page"');

  await stage.tell(
    "16. In a terminal each action is shown and asked about. Here nobody can be asked, so it is looked at first, and then approved as a whole.",
  );
  await stage.clew("session execute --dry-run");
  // What a person's own engine planned is not done unseen.
  if (engine !== undefined) return;
  await stage.follow(0, "session execute -y");

  await stage.tell(
    "17. The same context again, with other words: a branch. What a turn changed in files can be taken back, and hashes prove what was planned and done.",
  );
  await stage.clew("session undo 01");
  await stage.clew('session branch 01 -m "Greet them in French"');
  await stage.follow(0, "session execute -y");
  await stage.clew("session turns");
  await stage.clew("session verify");
}

/** A plan that puts one line into the page, and looks at it. */
const plan = (title: string, line: string): string => `# ${title}
- **Status:** Green
- **Plan Type:** Implementation
- **Agent:** dev
- **Goal:** a friendlier login page

## Rationale
~~~~~~
The page has one line. Another one before it is enough; its tests stay as they are.
~~~~~~

## Context Vault
~~~~~~
login.html
~~~~~~

## Action Plan

### \`EDIT\`
- **File Path:** [login.html](/login.html)
- **Description:** ${title.toLowerCase()}
#### \`FIND:\`
~~~~~~
<p>You were
~~~~~~
#### \`REPLACE:\`
~~~~~~
<p>${line}</p>
<p>You were
~~~~~~

### \`EXECUTE\`
- **Description:** the tests
- **Expected Outcome:** 2 passing
~~~~~~shell
sh test.sh "${title}"
~~~~~~
`;

const script = JSON.stringify({
  turns: [
    { when: "Greet people", say: plan("Greet people", "Good to see you."), usage: { input: 1900, output: 240 } },
    { when: "Greet them in French", say: plan("Greet in French", "Bonjour."), usage: { input: 1900, output: 230 } },
  ],
});
