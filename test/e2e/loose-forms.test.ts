import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Repo, textsOf } from "../support/repo.ts";

/** Puts a session there as a person would write it. */
function written(repo: Repo, id: string, text: string): string {
  mkdirSync(join(repo.root, ".clew/sessions", id), { recursive: true });
  writeFileSync(repo.path(id), text);
  return id;
}

const head = (id: string, more = "") =>
  `---\ntype: session\nsession_id: ${id}\nstarted: 2026-03-01T09:00:00Z\nstatus: active\n${more}---\n`;

const seedForm = `
# Fix the login

What this is about, in my own words.

## Research @researcher@1.2 #dev

**Tool calls:**
- \`read src/login.ts\` → 120 lines

I looked further.

**Tool calls:**
- \`grep token\` → ✗ nothing

### A closer look

> [!user]
> "No, use staging" - switched the target.

> [!subagent] @tester@2 (small)
> Asked to run the tests.
> mode: link
> → [[2026-03-01-tests]]
> Summary: all green

---

## Build @coder

> [!decision] Keep the old table

- a list of mine
- \`not a tool call\`

## Summary

It works.

### Details
More of it.
`;

test("S2 the looser forms of the specification are read without loss", async () => {
  using repo = new Repo();
  const id = written(repo, "2026-03-01-loose", head("2026-03-01-loose") + seedForm);
  const document = await repo.show(id);
  expect(document.preamble).toBe("What this is about, in my own words.");
  expect(document.summary).toBe("It works.\n\n### Details\nMore of it.");
  expect(document.phases).toEqual([
    {
      id: "phase-1",
      title: "Research",
      agent: "researcher@1.2",
      channel: "dev",
      started: null,
      entries: [
        { kind: "tool", name: "read", args: "src/login.ts", failed: false, result: "120 lines" },
        { kind: "note", text: "I looked further." },
        { kind: "tool", name: "grep", args: "token", failed: true, result: "nothing" },
        { kind: "note", text: "### A closer look" },
        { kind: "user", text: "No, use staging", action: "switched the target." },
        {
          kind: "subagent",
          agent: "tester@2",
          model: "small",
          mode: "link",
          session: "2026-03-01-tests",
          content: "Asked to run the tests.",
          summary: "all green",
        },
      ],
    },
    {
      id: "phase-2",
      title: "Build",
      agent: "coder",
      channel: null,
      started: null,
      entries: [
        { kind: "decision", text: "Keep the old table" },
        { kind: "note", text: "- a list of mine\n- `not a tool call`" },
      ],
    },
  ]);
  expect(repo.read(id)).toBe(head(id) + seedForm);
});

test("S2 logging behind a summary opens Continued and leaves the person's text as it is", async () => {
  using repo = new Repo();
  const id = written(repo, "2026-03-01-loose", head("2026-03-01-loose") + seedForm);
  await repo.log(id, { kind: "text", text: "on it goes" });
  const text = repo.read(id);
  expect(text.slice(text.indexOf("\n# Fix the login"))).toMatch(
    /^[^]*More of it\.\n\n## Continued @coder\n<!-- clew \{"id":"phase-3",.*\} -->\n\n> \[!agent\]\n> on it goes\n$/,
  );
  expect(text).toContain(seedForm);
});

const handmade = `# kept by hand
title: 'Fix: the login'  # quoted
reviewers:
  - Ann   # lead
  - Bob
# what follows is for the dashboard
dashboard: {colour: red, "rank": 3}
note: |
  two
  lines
`;

test("S1 keys and comments that Clew does not know survive every update, byte for byte", async () => {
  using repo = new Repo();
  const id = written(repo, "2026-03-01-hand", `${head("2026-03-01-hand", handmade)}\n## Work\n`);
  await repo.log(id, { kind: "tokens", tokens: 5, model: "m" }, { kind: "phase", title: "Next", agent: "coder" });
  await repo.clew("session", "pause", id);
  await repo.clew("session", "end", id);
  expect(repo.read(id)).toContain(handmade);
  const { frontmatter } = await repo.show(id);
  expect(frontmatter).toMatchObject({
    title: "Fix: the login",
    reviewers: ["Ann", "Bob"],
    dashboard: { colour: "red", rank: 3 },
    note: "two\nlines\n",
    status: "completed",
    tokens_used: 5,
  });
});

test("S1 comments beside and below a value that Clew changes survive", async () => {
  using repo = new Repo();
  const id = "2026-03-01-hand";
  written(
    repo,
    id,
    `${head(id).replace("status: active\n", "status: active # Ann watches this one\n# ask her before closing it\n")}\n## Work\n`,
  );
  await repo.clew("session", "pause", id);
  expect((await repo.show(id)).frontmatter.status).toBe("paused");
  expect(repo.read(id)).toContain("# ask her before closing it\n");
  expect(repo.read(id)).toContain("status: paused # Ann watches this one\n");
});

test("S1 a file with CRLF line ends is read, found and written on", async () => {
  using repo = new Repo();
  const id = "2026-03-01-dos";
  const body = "\n## Work\n\n> [!decision]\n> wide needle\n\nA note\nof two lines\n";
  written(repo, id, `${head(id)}${body}`.replaceAll("\n", "\r\n"));
  await repo.log(id, { kind: "text", text: "thin needle" });
  expect(textsOf(await repo.show(id))).toEqual(["wide needle", "A note\nof two lines", "thin needle"]);
  const { hits } = await repo.json<{ hits: { line: number; excerpt: string }[] }>("search", "needle");
  const lines = repo.read(id).split("\n");
  expect(hits.map(({ line, excerpt }) => [lines[line - 1], excerpt])).toEqual([
    ["> thin needle", "thin needle"],
    ["> wide needle\r", "wide needle"],
  ]);
  expect(repo.read(id)).toContain(body.replaceAll("\n", "\r\n"));
});

test("S1 a title that YAML takes for a number or a date is still a title", async () => {
  using repo = new Repo();
  for (const [at, title] of ["2024", "2026-03-01", "true", "1.50", "~"].entries()) {
    written(repo, `2026-03-0${at + 1}-odd`, head(`2026-03-0${at + 1}-odd`, `title: ${title}\n`));
  }
  const { sessions, unreadable } = await repo.json<{ sessions: { title: string }[]; unreadable: unknown[] }>(
    "session",
    "list",
  );
  expect(unreadable).toEqual([]);
  expect(sessions.map(({ title }) => title).toSorted()).toEqual([
    "1.50",
    "2024",
    "2026-03-01",
    "2026-03-05-odd",
    "true",
  ]);
});

test("S3 a note that shows Clew's own markers is a note", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Markers");
  const notes = [
    'see\n  <!-- clew {"tokens":5} -->\nabove',
    "## not a phase",
    "> [!decision]\n> not one",
    "**Tool calls:**\n- `rm x`",
    "---",
    "```tasks\n[]\n```",
    '<!-- clew {"id":"phase-9"} -->',
  ];
  await repo.log(
    id,
    { kind: "phase", title: "P" },
    ...notes.flatMap((text) => [
      { kind: "note", text },
      { kind: "text", text: "-" },
    ]),
  );
  const { phases, tasks, frontmatter } = await repo.show(id);
  expect(phases[0]!.entries.filter((entry) => entry.kind !== "text")).toEqual(
    notes.map((text) => ({ kind: "note", text })),
  );
  expect([phases.length, tasks, frontmatter.tokens_used]).toEqual([1, [], undefined]);
});
