import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Repo } from "../support/repo.ts";

/** A repository whose scripted engine plays these turns. */
async function repoWith(turns: object[]): Promise<Repo> {
  const repo = new Repo();
  await repo.clew("init");
  writeFileSync(join(repo.root, "play.json"), JSON.stringify({ turns }));
  repo.env["CLEW_SCRIPT"] = join(repo.root, "play.json");
  return repo;
}

interface Ended {
  status: string;
  session_id: string;
  usage: object;
  limit?: { kind: string; limit: number; used: number; command: string };
}

const lastOf = (stdout: string): Ended => JSON.parse(stdout.trim().split("\n").at(-1)!) as Ended;
const talk = ["ai", "scripted", "Look around", "--one-shot"];
const costly = { say: "I look", usage: { input: 900, cached: 400, output: 100 }, delay_ms: 60_000 };

describe("W11 W10 limits of a talk", () => {
  test.each([
    ["max_tokens", ["--max-tokens", "500"], 1000],
    ["max_cost_usd", ["--max-cost", "0.005", "--model", "claude-opus-4-8"], 0.0052],
    ["max_time_ms", ["--max-time", "800ms"], 800],
  ])("W11 %s pauses the talk with exit 4, and the command that it names goes on", async (kind, options, used) => {
    using repo = await repoWith([{ when: "go on", say: "Done.", result: { success: true, summary: "Done." } }, costly]);
    const { code, stdout } = await repo.run([...talk, ...options, "--json"]);
    const ended = lastOf(stdout);
    expect([code, ended.status, ended.limit?.kind]).toEqual([4, "paused", kind]);
    expect(ended.limit!.used).toBeGreaterThanOrEqual(used);
    expect(ended.usage).toMatchObject({ input_tokens: 900, cached_input_tokens: 400, output_tokens: 100 });
    const { frontmatter } = await repo.json<{ frontmatter: object }>("session", "show", "latest");
    expect(frontmatter).toMatchObject({ status: "paused" });
    const [, ...command] = ended.limit!.command.split(" ");
    expect(command).toEqual(["ai", "scripted", "--resume", ended.session_id, options[0], expect.any(String)]);
    expect((await repo.run([...command, "go on", "--one-shot"])).code).toBe(0);
  });

  test("W11 max_rounds: between two messages, too; what was answered stays, and the last line tells tokens and cost", async () => {
    const usage = { input: 90, cached: 40, output: 10, cost_usd: 0.25 };
    using repo = await repoWith([
      { say: "Heard.", usage },
      { when: "more", say: "Heard.", usage },
    ]);
    const { code, stdout, stderr } = await repo.run(["ai", "scripted", "One", "--max-rounds", "2"], {
      input: "more\nmore\nmore\n",
    });
    expect([code, stdout]).toEqual([4, "Heard.\nHeard.\n"]);
    expect(stderr).toMatch(
      /it reached its limit of 2 rounds \(--max-rounds\): 2 used; clew ai scripted --resume \S+ --max-rounds 4 goes on/,
    );
    expect(stderr).toMatch(/paused · session .* · 200 tokens \(80 cached\) · \$0\.50/);
    const stats = await repo.json<{ groups: object[] }>("session", "stats", "--by", "engine");
    expect(stats.groups).toMatchObject([{ tokens_used: 200, cost_usd: 0.5 }]);
  });

  test("W11 a limit that is kept to changes nothing; a cost that is unknown is told", async () => {
    using repo = await repoWith([{ say: "Done.", usage: { input: 10, output: 5 } }]);
    const kept = await repo.run([...talk, "--max-tokens", "15", "--max-rounds", "1", "--max-time", "5m"]);
    expect([kept.code, kept.stderr.includes("limit")]).toEqual([0, false]);
    const { code, stderr } = await repo.run([...talk, "--max-cost", "1", "--model", "my-model"]);
    expect([code, stderr]).toEqual([0, expect.stringContaining("the price of my-model is not known")]);
  });
});
