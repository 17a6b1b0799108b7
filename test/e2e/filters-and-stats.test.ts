import { expect, test } from "vitest";
import { Repo } from "../support/repo.ts";

const hour = 3_600_000;

/** Five sessions with figures that can be added up by hand. */
function fill(repo: Repo): void {
  const at = (day: number, clock: string) => `2026-11-0${day}T${clock}:00Z`;
  repo.place("2026-11-01-a", {
    started: at(1, "10:00"),
    ended: at(1, "11:00"),
    status: "completed",
    channel: "dev",
    participants: ["coder@1", "tester"],
    tokens_used: 100,
  });
  repo.place("2026-11-02-b", {
    started: at(2, "10:00"),
    ended: at(2, "13:00"),
    status: "failed",
    channel: "dev",
    participants: ["coder@2"],
    tokens_used: 50,
  });
  repo.place("2026-11-03-c", { started: at(3, "10:00"), status: "paused", channel: "ops", participants: ["coder@1"] });
  repo.place("2026-11-04-d", { started: at(4, "10:00"), ended: at(4, "10:30"), status: "completed", kind: "import" });
  repo.place("2026-11-05-e", {
    started: at(5, "10:00"),
    status: "abandoned",
    channel: "dev,ops",
    participants: ["cod"],
  });
}

async function letters(repo: Repo, ...args: string[]): Promise<string> {
  const { sessions } = await repo.json<{ sessions: { session_id: string }[] }>("session", "list", ...args);
  return sessions.map(({ session_id }) => session_id.slice(11)).join("");
}

test("S11 sessions are found by status, channel and kind, newest first", async () => {
  using repo = new Repo();
  fill(repo);
  expect(await letters(repo)).toBe("edcba");
  expect(await letters(repo, "--status", "completed")).toBe("da");
  expect(await letters(repo, "--channel", "#dev")).toBe("ba");
  expect(await letters(repo, "--channel", "dev,ops")).toBe("e");
  expect(await letters(repo, "--kind", "import")).toBe("d");
  expect(await letters(repo, "--kind", "work", "--status", "completed", "--channel", "dev")).toBe("a");
});

test("W9 --type is --kind, and --status running is active", async () => {
  using repo = new Repo();
  fill(repo);
  const { session_id } = await repo.json<{ session_id: string }>("session", "start", "At work");
  expect(await letters(repo, "--type", "import")).toBe("d");
  expect(await letters(repo, "--type", "import", "--kind", "import")).toBe("d");
  expect(await letters(repo, "--status", "running")).toBe(session_id.slice(11));
  expect(await repo.refused(["session", "list", "--type", "import", "--kind", "work"])).toMatchObject({
    code: "usage",
    message: "--kind work and --type import mean the same, and differ",
  });
  expect((await repo.refused(["session", "list", "--status", "asleep"])).message).toBe(
    '--status: must be one of active, paused, completed, failed, abandoned, running, not "asleep"',
  );
  expect((await repo.refused(["session", "list", "--type", "job"])).message).toBe(
    '--type: must be one of work, run, turns, import, chat, not "job"',
  );
});

test("W9 what a session cost counts once, for who alone can have caused it; what nobody tells is null", async () => {
  using repo = new Repo();
  const place = (id: string, fields: object): void =>
    repo.place(id, { status: "completed", ended: "2026-11-01T11:00:00Z", channel: "dev", ...fields });
  const engine_sessions = [{ engine: "claude", session: "a" }];
  place("2026-11-01-one", { participants: ["coder@1"], cost_usd: 0.1, tokens_used: 10, engine_sessions });
  place("2026-11-01-two", { participants: ["coder@1", "tester"], cost_usd: 0.2, tokens_used: 5, engine_sessions });
  place("2026-11-01-three", { participants: ["coder@1"], engine_sessions: [...engine_sessions, { engine: "codex" }] });
  place("2026-11-01-four", { participants: ["tester"], cost_usd: 0, tokens_used: 0 });
  const costs = async (by: string) =>
    Object.fromEntries(
      (
        await repo.json<{ groups: { key: string; tokens_used: number; cost_usd: number }[] }>(
          "session",
          "stats",
          "--by",
          by,
        )
      ).groups.map(({ key, tokens_used, cost_usd }) => [key, [tokens_used, cost_usd]]),
    );
  const expected = {
    agent: { "coder@1": [10, 0.1], tester: [0, 0], "(none)": [5, 0.2] },
    channel: { dev: [15, 0.3] },
    status: { completed: [15, 0.3] },
    engine: { claude: [15, 0.3], codex: [null, null], "(none)": [0, 0] },
  };
  for (const [by, groups] of Object.entries(expected)) expect(await costs(by)).toEqual(groups);
  await repo.clew("index", "rebuild");
  for (const [by, groups] of Object.entries(expected)) expect(await costs(by)).toEqual(groups);
  expect(await repo.clew("session", "stats", "--by", "channel")).toMatch(/^dev +4 +15 +\$0\.30 /m);
  const refused = await repo.refused(["session", "stats", "--by", "moon"]);
  expect(refused).toMatchObject({
    code: "usage",
    message: '--by: must be one of agent, channel, status, engine, bead, branch, merge, not "moon"',
  });
});

test("S11 an agent is found by its name in all versions, or by name and version in one", async () => {
  using repo = new Repo();
  fill(repo);
  expect(await letters(repo, "--agent", "coder")).toBe("cba");
  expect(await letters(repo, "--agent", "@coder@1")).toBe("ca");
  expect(await letters(repo, "--agent", "tester")).toBe("a");
  expect(await letters(repo, "--agent", "cod")).toBe("e");
  expect(await letters(repo, "--agent", "coder@")).toBe("");
});

test("S12 a date and a limit bound the list", async () => {
  using repo = new Repo();
  fill(repo);
  expect(await letters(repo, "--since", "2026-11-04")).toBe("ed");
  expect(await letters(repo, "--since", "2026-11-03T11:00:00+01:00")).toBe("edc");
  expect(await letters(repo, "--since", "2026-11-03T10:00:01Z")).toBe("ed");
  expect(await letters(repo, "--limit", "2")).toBe("ed");
  expect(await letters(repo, "--agent", "coder", "--limit", "1")).toBe("c");
});

test("S12 a filter that nothing can match is refused, with what can", async () => {
  using repo = new Repo();
  fill(repo);
  expect((await repo.refused(["session", "list", "--status", "done"])).message).toContain("completed");
  expect((await repo.refused(["session", "list", "--kind", "job"])).message).toContain("import");
  for (const limit of ["0", "-1", "x", "1.5"])
    expect((await repo.refused(["session", "list", `--limit=${limit}`])).message).toContain("whole number");
  for (const date of ["3x", "2026-13-01", "2026-02-30", "yesterday 1", "1"])
    expect((await repo.refused(["session", "list", "--since", date])).message).toContain("2026-11-01");
});

test("S11 stats add up tokens, mean duration of what has ended, and failure rate", async () => {
  using repo = new Repo();
  fill(repo);
  const group = (key: string, sessions: number, tokens: number | null, durations: number[], failed: number) => ({
    key,
    sessions,
    tokens_used: tokens,
    cost_usd: null,
    avg_duration_ms: durations.length === 0 ? null : durations.reduce((sum, each) => sum + each, 0) / durations.length,
    failure_rate: failed / sessions,
  });
  const groups = async (...args: string[]) =>
    (await repo.json<{ groups: object[] }>("session", "stats", ...args)).groups;
  const byChannel = [
    group("dev", 2, 150, [hour, 3 * hour], 1),
    group("(none)", 1, null, [hour / 2], 0),
    group("dev,ops", 1, null, [], 0),
    group("ops", 1, null, [], 0),
  ];
  expect(await groups("--by", "channel")).toEqual(byChannel);
  expect(await groups("--by", "agent")).toEqual([
    // Nothing tells whose the 100 tokens of the session with two agents are.
    group("(none)", 2, 100, [hour, hour / 2], 0),
    group("coder@1", 2, null, [hour], 0),
    group("cod", 1, null, [], 0),
    group("coder@2", 1, 50, [3 * hour], 1),
    group("tester", 1, null, [hour], 0),
  ]);
  expect(await groups()).toEqual([
    group("completed", 2, 100, [hour, hour / 2], 0),
    group("abandoned", 1, null, [], 0),
    group("failed", 1, 50, [3 * hour], 1),
    group("paused", 1, null, [], 0),
  ]);
  await repo.clew("index", "rebuild");
  expect(await groups("--by", "channel")).toEqual(byChannel);
});

test("S11 tokens go to the agent and the channel that used them, so that groups add up; and each of them finds the session", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Shared", "--agent", "lead@1");
  await repo.log(
    id,
    { kind: "tokens", tokens: 1 },
    { kind: "phase", title: "Code", agent: "coder", channel: "code" },
    { kind: "tokens", tokens: 10 },
    { kind: "subagent", agent: "tester@3", mode: "inline", tokens: 100 },
    { kind: "phase", title: "Ship", agent: "coder@2", channel: "ops" },
    { kind: "tokens", tokens: 1000 },
    { kind: "subagent", agent: "scout", mode: "embed", tokens: 10_000, summary: "seen" },
  );
  const groups = async (by: string) =>
    Object.fromEntries(
      (await repo.json<{ groups: { key: string; tokens_used: number }[] }>("session", "stats", "--by", by)).groups.map(
        ({ key, tokens_used }) => [key, tokens_used],
      ),
    );
  const expected = {
    agent: { "lead@1": 1, "coder@2": 1010, "tester@3": 100, scout: 10_000 },
    channel: { dev: 1, code: 110, ops: 11_000 },
    status: { active: 1111, completed: 10_000 },
  };
  for (const [by, shares] of Object.entries(expected)) expect(await groups(by)).toEqual(shares);
  await repo.clew("index", "rebuild");
  for (const [by, shares] of Object.entries(expected)) expect(await groups(by)).toEqual(shares);
  const found = async (...args: string[]) =>
    (await repo.json<{ sessions: { session_id: string }[] }>("session", "list", ...args)).sessions.map(
      ({ session_id }) => session_id,
    );
  for (const channel of ["dev", "code", "ops"]) expect(await found("--channel", channel)).toContain(id);
  for (const agent of ["lead", "coder", "coder@2", "tester"]) expect(await found("--agent", agent)).toEqual([id]);
  expect(await found("--channel", "cod")).toEqual([]);
});
