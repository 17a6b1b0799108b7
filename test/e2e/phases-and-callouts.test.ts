import { appendFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Repo } from "../support/repo.ts";

/** What a session's file says behind its title. */
function body(repo: Repo, id: string): string {
  const file = repo.read(id);
  return file.slice(file.indexOf("\n# ") + 1).replace(/^.*\n/, "");
}

/** Times and commits differ from run to run. */
const settled = (text: string) => text.replace(/"at":"[^"]+","commit":"[0-9a-f]{40}"/g, '"at":"…"');

test("S2 a phase is a heading with agent and channel, and one comment that tells id, time and commit", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Phases");
  await repo.clew("session", "log", "phase", "Research", "--agent", "@researcher@1.2", "--channel", "#dev");
  await repo.log(
    id,
    { kind: "phase", title: "Plan", agent: "planner" },
    { kind: "phase", title: "Do", channel: "ops" },
  );
  expect(settled(body(repo, id))).toBe(
    [
      "\n## Research @researcher@1.2 #dev",
      '<!-- clew {"id":"phase-1","at":"…"} -->',
      "\n## Plan @planner #dev",
      '<!-- clew {"id":"phase-2","at":"…"} -->',
      "\n## Do @planner #ops",
      '<!-- clew {"id":"phase-3","at":"…"} -->\n',
    ].join("\n"),
  );
  expect(body(repo, id)).toContain(`"commit":"${repo.git("rev-parse", "HEAD").trim()}"} -->`);
  const { phases, frontmatter } = await repo.show(id);
  expect(phases.map(({ title, agent, channel }) => [title, agent, channel])).toEqual([
    ["Research", "researcher@1.2", "dev"],
    ["Plan", "planner", "dev"],
    ["Do", "planner", "ops"],
  ]);
  expect(phases[0]!.started).toBe(new Date(phases[0]!.started!).toISOString());
  expect(frontmatter.participants).toEqual(["researcher@1.2", "planner"]);
});

test("S2 a phase goes on with agent and channel of the last one or of the session, and gets the version that is known", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Heirs", "--agent", "coder@2", "--channel", "ops");
  await repo.clew("session", "log", "text", "before any phase");
  await repo.log(
    id,
    { kind: "phase", title: "Test", agent: "tester", channel: "qa" },
    { kind: "phase", title: "Again" },
    { kind: "phase", title: "Know", agent: "tester@3" },
    { kind: "phase", title: "Back", agent: "coder" },
    { kind: "subagent", agent: "helper@9", mode: "inline" },
    { kind: "phase", title: "Last", agent: "tester" },
  );
  appendFileSync(repo.path(id), "\n## By hand\n\n## Summary\nDone.\n");
  await repo.clew("session", "log", "text", "and on", "-s", id);
  expect((await repo.show(id)).phases.map(({ title, agent, channel }) => [title, agent, channel])).toEqual([
    ["Start", "coder@2", "ops"],
    ["Test", "tester", "qa"],
    ["Again", "tester", "qa"],
    ["Know", "tester@3", "qa"],
    ["Back", "coder@2", "qa"],
    ["Last", "tester@3", "qa"],
    ["By hand", null, null],
    ["Continued", "coder@2", "ops"],
  ]);
  await repo.clew("session", "list");
  expect(repo.read(id)).toContain("\nparticipants: [coder@2, tester@3, helper@9]\n");
});

test("S2 words of a title that look like agent, channel, comment or heading stay words of the title", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Titles");
  const titles = ["Ask @bob about #4", "C:\\new \\@x", "--> done <!-- x", "# not deeper", "Summary of it", "@a #b"];
  await repo.log(id, ...titles.map((title) => ({ kind: "phase", title, agent: "a@1", channel: "c" })));
  expect(body(repo, id)).toContain("\n## Ask \\@bob about \\#4 @a@1 #c\n");
  expect((await repo.show(id)).phases.map(({ title, agent, channel }) => [title, agent, channel])).toEqual(
    titles.map((title) => [title, "a@1", "c"]),
  );
});

test("S2 an entry before any phase opens Start, and one behind a person's Summary opens Continued", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Begin");
  await repo.clew("session", "log", "decision", "Begin at once");
  expect(settled(body(repo, id))).toBe(
    '\n## Start #dev\n<!-- clew {"id":"phase-1","at":"…"} -->\n\n> [!decision]\n> Begin at once\n',
  );
  appendFileSync(repo.path(id), "\n## Summary\n\nAll is well.\n");
  await repo.clew("session", "log", "text", "One more thing");
  expect(settled(body(repo, id)).split("All is well.\n")[1]).toBe(
    '\n## Continued #dev\n<!-- clew {"id":"phase-2","at":"…"} -->\n\n> [!agent]\n> One more thing\n',
  );
  expect((await repo.show(id)).phases.map(({ title, entries }) => [title, entries.length])).toEqual([
    ["Start", 1],
    ["Continued", 1],
  ]);
});

test("S4 callouts stand in the file as the format says, fields on lines that end in two spaces", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Callouts");
  await repo.clew("session", "log", "phase", "Work");
  await repo.clew("session", "log", "error", "No such table", "--resolution", "Ran the migration");
  await repo.clew("session", "log", "user", 'Use "Postgres", please', "--action", "Switched to it");
  const question = await repo.clew("session", "log", "approval_required", "Deploy?");
  await repo.log(
    id,
    { kind: "error", text: "It hangs" },
    { kind: "user", text: "Stop" },
    { kind: "task_complete", text: "Done\n\nall of it" },
  );
  expect(body(repo, id).split("-->\n")[1]).toBe(
    [
      "\n> [!error]\n> No such table  \n> Resolution: Ran the migration  \n",
      '\n> [!user]\n> "Use "Postgres", please" - Switched to it\n',
      `\n> [!approval_required] ${question}\n> Deploy?\n`,
      "\n> [!error]\n> It hangs\n",
      '\n> [!user]\n> "Stop"\n',
      "\n> [!task_complete]\n> Done\n>\n> all of it\n",
    ].join(""),
  );
});

test("S4 data that would read as a marker, a field or a heading comes back as it was", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Hostile");
  const entries = [
    { kind: "error", text: "Resolution: none\nAction: x  ", resolution: "a\nResolution: b\r\n" },
    { kind: "user", text: '"quoted" - as the seed has it', action: "Action: said" },
    { kind: "decision", text: "> [!user]\n## Phase\n```tasks\n[]\n---\n**Tool calls:**" },
    { kind: "text", text: "\\Resolution\\: &#13; \n\n  ends in spaces  " },
    { kind: "task_complete", text: "." },
  ];
  await repo.log(id, ...entries);
  expect((await repo.show(id)).phases.map(({ entries: shown }) => shown)).toEqual([entries]);
});

test("S6 of several task lists the last one counts, and all stay in the file", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Tasks");
  const task = { id: "1", content: "Look at `x`", status: "pending", priority: "high" };
  await repo.log(id, { kind: "tasks", tasks: [task] }, { kind: "text", text: "between" });
  const later = [
    { ...task, status: "completed" },
    { id: "2", content: "Then this", status: "in_progress" },
  ];
  const input = JSON.stringify(later);
  expect((await repo.run(["session", "log", "tasks", "-", "-s", id], { input })).code).toBe(0);
  expect((await repo.show(id)).tasks).toEqual(later);
  const file = body(repo, id);
  expect(file.match(/^```tasks$/gm)).toHaveLength(2);
  expect(
    file.endsWith(`\n\`\`\`tasks\n[\n  ${JSON.stringify(later[0])},\n  ${JSON.stringify(later[1])}\n]\n\`\`\`\n`),
  ).toBe(true);
});
