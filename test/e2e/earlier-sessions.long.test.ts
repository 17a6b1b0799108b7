import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Entry, SessionDocument } from "../../src/contract/session.ts";
import { FixtureRepo, fixturesOf } from "../support/fixture-repo.ts";
import { textsOf } from "../support/repo.ts";

const cut = `${"F".repeat(90)} 2 of 40 …`;
const whole = `${"F".repeat(90)} 2 of 40 failed`;

/** How fixtures with the same entries differ. */
interface Form {
  channel?: "dev";
  /** A backslash that stands before a sign is taken for markup, since there is such markup. */
  text: string;
  /** Whether the whole result of a tool is kept. */
  hasResult: boolean;
}

const forms: Record<string, Form> = {
  "1-first": { text: "C:\\login*.ts", hasResult: false },
  "3-channel-and-action": { channel: "dev", text: "C:\\login*.ts", hasResult: false },
  "4-text-on-a-page-and-results": { channel: "dev", text: "C:\\login\\*.ts", hasResult: true },
};

test("S7 every fixture of sessions has its expectations", () => {
  const others = ["2-copy-names-a-blob"];
  expect(fixturesOf("sessions")).toEqual([...Object.keys(forms), ...others].sort().map((name) => `sessions/${name}`));
});

describe.each(Object.entries(forms))("S7 sessions of %s", (name, { channel, text, hasResult }) => {
  test("are listed and shown with all that was logged", async () => {
    using repo = new FixtureRepo(`sessions/${name}`);
    const ids = await sessionIds(repo);
    expect(ids).toEqual(["half-in-the-file active", "tester-3-fix-the-login active", "fix-the-login paused"]);
    const { frontmatter, tasks, phases } = await shown(repo, "fix-the-login");
    expect(frontmatter).toMatchObject({
      title: "Fix the login",
      kind: "work",
      model: "opus",
      participants: ["coder@2", "linter@1"],
      tokens_used: 1510,
      resume_point: "phase-2",
    });
    expect(frontmatter["channel"]).toBe(channel);
    expect(tasks).toEqual([{ id: "1", content: "Convert", status: "in_progress", priority: "high" }]);
    expect(phases.map(({ id, title, agent, channel: where }) => [id, title, agent, where])).toEqual([
      ["phase-1", "Research", "coder@2", "dev"],
      ["phase-2", "Fix", "coder@2", "dev"],
    ]);
    expect(phases.map(({ entries }) => entries.map(withoutId))).toEqual([
      [
        { kind: "tool", name: "read", args: "src/login.ts", result: "142 lines", failed: false },
        {
          kind: "tool",
          name: "bash",
          args: "npm test\nnpm run lint",
          result: cut,
          ...(hasResult && { result_full: whole }),
          failed: true,
        },
        { kind: "tool", name: "edit", args: '{"file":"login.ts","text":"one\\ntwo"}', failed: false },
        { kind: "text", text: `# Not a heading\n- *seconds* in ${text}, 2 < 3 & a_b_c` },
        { kind: "error", text: "Tokens expire at once", resolution: "convert when it is read" },
        { kind: "user", text: "Don't touch the database", action: "kept to login.ts" },
        { kind: "decision", text: "Keep seconds in the token" },
        { kind: "decision_needed", text: "Log everybody out?" },
      ],
      [
        { kind: "task_complete", text: "Converted" },
        { kind: "tokens", tokens: 1200, model: "opus" },
        { kind: "subagent", agent: "linter@1", mode: "inline", tokens: 310, summary: "no findings" },
        { kind: "subagent", agent: "tester@3", mode: "link", session: await idOf(repo, "tester-3-fix-the-login") },
      ],
    ]);
  });

  test("are found, and what their file lacks is shown from the write-ahead copy and comes back", async () => {
    using repo = new FixtureRepo(`sessions/${name}`);
    const { hits } = await repo.json<{ hits: { phase: string; kind: string }[] }>("search", "seconds");
    expect(hits.map(({ phase, kind }) => `${phase} ${kind}`).sort()).toEqual(["Research decision", "Research text"]);
    const id = await idOf(repo, "half-in-the-file");
    const both = ["The first one", "The second one"];
    expect(repo.read(id)).not.toContain(both[1]);
    expect(textsOf(await repo.show(id))).toEqual(both);

    const { findings } = await repo.json<{ findings: { check: string; status: string; message: string }[] }>("doctor");
    // Which engines there are is the machine's.
    const wrong = findings.filter(({ check, status }) => status !== "ok" && check !== "engine");
    expect(wrong.map(({ check }) => check)).toEqual(["hidden files", "session files"]);
    await repo.clew("doctor", "--repair");
    expect(repo.read(id)).toContain(both[1]);
    expect(textsOf(await repo.show(id))).toEqual(both);
  });

  test("go on: a question is answered, a subagent ends in its parent, and both files have it", async () => {
    using repo = new FixtureRepo(`sessions/${name}`);
    const [question] = (await repo.json<{ items: { id: string }[] }>("inbox")).items;
    await repo.clew("inbox", "answer", question!.id, "No");
    const id = await idOf(repo, "fix-the-login");
    await repo.clew("session", "end", await idOf(repo, "tester-3-fix-the-login"), "--summary", "all green");
    await repo.clew("session", "resume", id);
    await repo.log(id, { kind: "decision", text: "Later" });
    const entries = (await repo.show(id)).phases.flatMap((phase) => phase.entries);
    expect(entries).toHaveLength(14);
    expect(entries.filter(({ kind }) => kind === "subagent").at(-1)).toMatchObject({ summary: "all green" });
    // An older text over it, or none at all, takes nothing away.
    rmSync(repo.path(id));
    const again = (await repo.show(id)).phases.flatMap((phase) => phase.entries);
    expect(again).toEqual(entries);
  });
});

test("S7 a write-ahead copy that names git's text of a session is read, also when session.md is gone", async () => {
  using repo = new FixtureRepo("sessions/2-copy-names-a-blob");
  const id = await idOf(repo, "fix-the-login");
  const both = ["Before the commit", "After the commit"];
  expect(textsOf(await repo.show(id))).toEqual(both);
  repo.git("checkout", "--", ".clew/sessions");
  expect(repo.read(id)).not.toContain(both[1]);
  expect(textsOf(await repo.show(id))).toEqual(both);
  rmSync(join(repo.root, ".clew/sessions"), { recursive: true });
  expect(textsOf(await repo.show(id))).toEqual(both);
  await repo.log(id, { kind: "decision", text: "Today" });
  expect(textsOf(await repo.show(id))).toEqual([...both, "Today"]);
  expect(repo.read(id)).toContain("Before the commit");
});

/** Newest first: the id without its date, and the status. */
async function sessionIds(repo: FixtureRepo): Promise<string[]> {
  const { sessions } = await repo.json<{ sessions: { session_id: string; status: string }[] }>("session", "list");
  return sessions.map(({ session_id, status }) => `${session_id.slice("2026-11-17-".length)} ${status}`);
}

async function idOf(repo: FixtureRepo, slug: string): Promise<string> {
  const { sessions } = await repo.json<{ sessions: { session_id: string }[] }>("session", "list");
  return sessions.find(({ session_id }) => session_id.slice("2026-11-17-".length) === slug)!.session_id;
}

async function shown(repo: FixtureRepo, slug: string): Promise<SessionDocument> {
  return repo.show(await idOf(repo, slug));
}

/** Ids of questions are random. */
function withoutId(entry: Entry): Omit<Entry, "id"> {
  const { id: _, ...rest } = entry as Entry & { id?: string };
  return rest;
}
