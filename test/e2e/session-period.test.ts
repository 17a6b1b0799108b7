import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Period } from "../../src/contract/api/session-period.ts";
import { Repo } from "../support/repo.ts";

/** Sessions on three days; the last one has two failures in it. */
async function fill(repo: Repo): Promise<void> {
  const place = (id: string, hour: string, fields: object): void =>
    repo.place(id, {
      started: `${id.slice(0, 10)}T${hour}:00:00.000Z`,
      ended: `${id.slice(0, 10)}T${hour}:10:00.000Z`,
      status: "completed",
      participants: ["coder@1"],
      ...fields,
    });
  place("2026-11-01-early", "10", { tokens_used: 1, cost_usd: 5 });
  place("2026-11-02-parent", "10", { tokens_used: 100, cost_usd: 0.1 });
  place("2026-11-02-child", "10", { tokens_used: 20, cost_usd: 0.2, parent: "2026-11-02-parent", status: "failed" });
  place("2026-11-03-late", "23", { status: "active", ended: null });
  const log = (...words: string[]): Promise<string> => repo.clew("session", "log", ...words, "-s", "2026-11-03-late");
  await log("phase", "Look");
  await log("tool", "bash", "--args", "npm <b>test</b>", "--result", "1 failing", "--failed");
  await log("tool", "bash", "--args", "npm test", "--result", "ok");
  await log("error", "It <script>broke</script>", "--resolution", "mended");
}

test("W9 a period is told by day, with tools, failures and each session, and adds up", async () => {
  using repo = new Repo();
  await fill(repo);
  const period = await repo.json<Period>("session", "stats", "--since", "2026-11-02T00:00Z", "--until", "2026-11-04");
  expect(period.total).toEqual({
    sessions: 3,
    failed: 1,
    tokens_used: 120,
    cost_usd: 0.3,
    duration_ms: 1_200_000,
    errors: 1,
    tool_calls: 2,
    failed_tool_calls: 1,
  });
  expect(period.days.map(({ day, sessions, cost_usd, failed }) => [day, sessions, cost_usd, failed])).toEqual([
    ["2026-11-02", 2, 0.3, 1],
    ["2026-11-03", 1, null, 0],
  ]);
  expect(period.tools).toEqual([{ name: "bash", calls: 2, failed: 1 }]);
  expect(period.failures).toEqual([
    { session_id: "2026-11-03-late", phase: "Look", kind: "call", text: "bash npm <b>test</b>", result: "1 failing" },
    {
      session_id: "2026-11-03-late",
      phase: "Look",
      kind: "error",
      text: "It <script>broke</script>",
      result: "mended",
    },
  ]);
  expect(period.sessions.map(({ session_id }) => session_id.slice(11))).toEqual(["late", "parent", "child"]);
  expect(await repo.json("session", "export", "--since", "2026-11-02T00:00Z", "--until", "2026-11-04")).toEqual(period);
  const { total } = await repo.json<Period>("session", "stats", "--until", "2026-11-02T00:00Z", "--agent", "coder");
  expect([total.sessions, total.cost_usd]).toEqual([1, 5]);
});

test("W9 a period has bars on a terminal, and is one page of HTML or Markdown without markup of others", async () => {
  using repo = new Repo();
  await fill(repo);
  const chart = await repo.clew("session", "stats", "--since", "2026-11-01T00:00Z", "--chart");
  expect(chart).toMatch(/2026-11-01 .*\$5\.00 +████████████████ /);
  expect(chart).toMatch(/2026-11-03-late +Look +It <script>broke/);
  expect(await repo.clew("session", "stats", "--since", "2026-11-01T00:00Z")).not.toContain("█");
  await repo.clew("session", "export", "--since", "2026-11-01T00:00Z", "--format", "html", "-o", "period.html");
  const html = readFileSync(join(repo.root, "period.html"), "utf8");
  expect(html).toContain("<h1>4 sessions since 2026-11-01 00:00</h1>");
  expect(html).toContain("It &lt;script&gt;broke&lt;/script&gt;");
  expect(html).not.toMatch(/<script|<b>test/);
  const markdown = await repo.clew("session", "export", "--since", "2026-11-01T00:00Z", "--format", "markdown");
  expect(markdown).toContain("| 2026-11-02 | 2 | 1 | 0 | 20 min 0 s | 120 | $0.30 |");
  expect(markdown).toContain("It \\<script\\>broke");
  expect(markdown).not.toMatch(/(?<!\\)<script/);
});

test("W9 what is asked wrongly of a period is refused with the way on", async () => {
  using repo = new Repo();
  await fill(repo);
  const refused = async (...words: string[]): Promise<string> => (await repo.refused(["session", ...words])).message;
  expect(await refused("export")).toBe("nothing to export");
  expect(await refused("export", "latest", "--since", "1d")).toContain("not exported together");
  expect(await refused("stats", "latest", "--since", "1d")).toContain("not of one session");
  expect(await refused("stats", "--tree", "--since", "1d")).toContain("has no tree");
  expect(await refused("stats", "--since", "2026-11-03", "--until", "2026-11-02")).toContain("is not after since");
  expect(await refused("stats", "--until", "soon")).toContain('until: "soon" is no date');
  expect(await repo.clew("session", "stats", "--until", "2020-01-01")).toContain("No sessions in that time.");
});

test("W9 errors and failed calls are two figures, and no page calls one of them the other", async () => {
  using repo = new Repo();
  await fill(repo);
  await repo.clew("session", "log", "tool", "bash", "--args", "npm t", "--failed", "-s", "2026-11-03-late");
  await repo.clew("session", "export", "--since", "2026-11-01T00:00Z", "-o", "period.html");
  const html = readFileSync(join(repo.root, "period.html"), "utf8");
  expect(html).toContain("<dt>errors</dt><dd>1</dd>");
  expect(html).toContain("<h2>What failed <small>1 error, 2 failed calls</small></h2>");
  expect(html).toContain('<th class="number">errors</th><th class="number">failed calls</th></tr>');
  expect(html).toContain('<td class="number">1</td><td class="number">2</td></tr>');
  const markdown = await repo.clew("session", "export", "--since", "2026-11-01T00:00Z", "--format", "markdown");
  expect(markdown).toContain("## What failed: 1 error, 2 failed calls");
  const { sessions } = await repo.json<{ sessions: { errors: number }[] }>("session", "list", "--limit", "1");
  expect(sessions[0]!.errors).toBe(1);
});

test("W9 the sessions of a period are grouped as all are, and what is not listed is asked for in the words that were given", async () => {
  using repo = new Repo();
  await fill(repo);
  for (const by of ["agent", "channel", "status", "engine", "bead", "branch", "merge"]) {
    const args = ["session", "stats", "--by", by, "--since", "2026-11-02T00:00Z", "--until", "2026-11-03T00:00Z"];
    const { groups } = await repo.json<{ groups: { sessions: number; tokens_used: number }[] }>(...args);
    expect([by, groups.reduce((sum, { sessions }) => Math.max(sum, sessions), 0)]).toEqual([
      by,
      by === "status" ? 1 : 2,
    ]);
  }
  expect(await repo.clew("session", "stats", "--by", "agent", "--until", "2020-01-01")).toBe(
    "No sessions in that time.",
  );
  for (let at = 0; at < 12; at++) await repo.clew("session", "log", "error", `no ${at}`, "-s", "2026-11-03-late");
  expect(await repo.clew("session", "stats", "--since", "2026-11-02T00:00Z", "--agent", "coder")).toContain(
    "4 more: clew session export --since 2026-11-02T00:00Z --agent coder --format html -o FILE",
  );
});
