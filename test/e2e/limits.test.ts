import { describe, expect, test } from "vitest";
import { AskingRepo, done } from "../support/permissions.ts";
import { write, writeSteps } from "../support/grimoires.ts";
import { RunRepo } from "../support/run-repo.ts";
import { readStream, showRun, startClew, until } from "../support/runs.ts";

const costly = { say: "I think hard", usage: { input: 900, output: 100 }, delay_ms: 60_000 };
/** What the agent does once it goes on: its prompt says that it was cut off. */
const goesOn = { when: "You were cut off", run: "echo went on >> ../../notes", ...done };

/** A run of one agent that reaches the limit of these options. */
async function reach(repo: AskingRepo, ...options: string[]): Promise<Awaited<ReturnType<typeof showRun>>> {
  const { code, stdout } = await repo.run(["run", "proj-1", "--json", ...options]);
  const { run } = readStream(stdout);
  expect([code, run.status, run.blocked_reason]).toEqual([4, "blocked", "limit"]);
  return run;
}

describe("W11 G15 limits of a run", () => {
  test.each([
    ["tokens", ["--max-tokens", "999"], "999 tokens (--max-tokens): 1,000 used", "--max-tokens 2000"],
    ["cost", ["--max-cost", "0.005"], "$0.0050 (--max-cost): $0.0070 used", "--max-cost 0.014"],
    ["time", ["--max-time", "1s"], "1s of work (--max-time): 1s", "--max-time "],
  ])(
    "W11 %s: the agent is stopped, the run waits, and a higher limit goes on in the engine's session",
    async (...row) => {
      const [, options, words, raised] = row;
      const priced = 'model: claude-opus-4-8, spell: "Build it.\\n"';
      using repo = new AskingRepo([goesOn, costly, done]);
      writeSteps(repo, `- {name: build, type: agent, ${priced}}\n`);
      const run = await reach(repo, ...options);
      expect(run.message).toContain(`reached its limit of ${words}`);
      expect(run.message).toContain(`clew run retry ${run.id} ${raised}`);
      expect(run.actions?.[0]).toContain(`clew run retry ${run.id} ${raised}`);
      expect(run.steps[0]).toMatchObject({ path: "build", status: "stopped", usage: { input_tokens: 900 }, rounds: 1 });
      const shown = await repo.clew("run", "show", "latest");
      expect(shown).toMatch(/used +1,000 tokens · \$0\.0070 · 1 round/);
      expect(shown).toMatch(/limits +at most /);

      const refused = await repo.refused(["run", "retry", "latest"]);
      expect(refused).toMatchObject({ code: "not_possible_now" });
      expect(refused.message).toContain("reached its limit of");
      expect(refused.hint).toContain(`clew run retry ${run.id} ${raised}`);
      const [option, limit] = options;
      expect((await repo.refused(["run", "retry", "latest", option!, limit!])).code).toBe("not_possible_now");

      const higher = { "--max-tokens": "9000", "--max-cost": "5", "--max-time": "5m" }[option!]!;
      expect(await repo.run(["run", "retry", "latest", option!, higher])).toMatchObject({ code: 0 });
      expect(repo.notes).toBe("went on\n");
      const inits = await repo.lines("agent.init");
      expect(inits.map(({ engine_session }) => engine_session)).toEqual(Array(2).fill(inits[0]!.engine_session));
      expect((await showRun(repo)).usage).toMatchObject({ input_tokens: 900, output_tokens: 100 });
    },
  );

  test("W11 rounds: the last one is finished, and the next does not begin", async () => {
    using repo = new AskingRepo([
      goesOn,
      { run: "echo one >> ../../notes" },
      { run: "echo two >> ../../notes", delay_ms: 60_000 },
      done,
    ]);
    const run = await reach(repo, "--max-rounds", "2");
    expect(run.message).toContain("2 rounds (--max-rounds): 2 used");
    expect(repo.notes).toBe("one\ntwo\n");
    expect((await repo.run(["run", "retry", "latest", "--max-rounds", "9"])).code).toBe(0);
    expect([repo.notes, (await showRun(repo)).rounds]).toEqual(["one\ntwo\nwent on\n", 3]);
  });

  test("W11 what an agent gave is not lost when it took more than it may: the step is not done again", async () => {
    using repo = new AskingRepo([{ usage: { input: 50, output: 5 }, ...done }], {
      steps: "- {name: after, type: script, command: echo after >> ../../notes}\n",
    });
    const run = await reach(repo, "--max-tokens", "20");
    expect(run.steps.map(({ path, status }) => [path, status])).toEqual([["build", "succeeded"]]);
    expect((await repo.run(["run", "retry", "latest", "--max-tokens", "100"])).code).toBe(0);
    expect(repo.notes).toBe("after\n");
    expect(await repo.lines("agent.init")).toHaveLength(1);
  });

  test("W11 exactly as much as it may is not too much; the next agent then waits", async () => {
    using repo = new AskingRepo([{ usage: { input: 50, output: 5 }, ...done }], {
      steps: '- {name: again, type: agent, spell: "Again.\\n"}\n',
    });
    const run = await reach(repo, "--max-rounds", "1");
    expect(run.steps.map(({ path, status }) => [path, status])).toEqual([
      ["build", "succeeded"],
      ["again", "stopped"],
    ]);
    expect((await repo.run(["run", "retry", "latest", "--max-rounds", "2"])).code).toBe(0);
    expect((await showRun(repo)).usage).toEqual({ input_tokens: 100, output_tokens: 10 });
  });

  test("W11 the sum of all agents counts, also of one that was killed on the way", async () => {
    using repo = new AskingRepo([goesOn, { say: "hm", usage: { input: 90, output: 10 }, delay_ms: 60_000 }]);
    const { child, outcome } = startClew(repo, ["run", "proj-1", "--max-tokens", "1000"]);
    await until(async () => (await repo.lines("agent.usage").catch(() => [])).length > 0);
    child.kill("SIGKILL");
    await outcome;
    expect((await repo.run(["run", "resume", "latest"])).code).toBe(0);
    expect((await showRun(repo)).usage).toMatchObject({ input_tokens: 90, output_tokens: 10 });
  });

  test("W11 --max-time ends a script too; the time of waiting does not count, and a grimoire's own timeout stays 3", async () => {
    using repo = new AskingRepo([done]);
    writeSteps(
      repo,
      "- {name: nap, type: script, command: 'echo nap >> ../../notes; test -e ../../rested || sleep 60'}\n",
    );
    const run = await reach(repo, "--max-time", "1s");
    expect(run.steps[0]).toMatchObject({ path: "nap", status: "stopped" });
    expect((await repo.refused(["run", "retry", "latest"])).message).toContain("1s of work (--max-time)");
    write(repo, "rested", "");
    expect((await repo.run(["run", "retry", "latest", "--max-time", "10m"])).code).toBe(0);
    expect(repo.notes).toBe("nap\nnap\n");
    using slow = new AskingRepo([done]);
    writeSteps(slow, "- {name: nap, type: script, command: sleep 60, timeout: 300ms}\n");
    expect((await slow.run(["run", "proj-1", "--max-time", "10m"])).code).toBe(3);
  });

  test("W11 G15 the cost: told by the engine, else by the price of a known model, else unknown, and that is told at once", async () => {
    const usage = { input: 1_000_000, cached: 500_000, output: 0 };
    const cost = async (step: string, turn: object, ...options: string[]): Promise<[number | undefined, string[]]> => {
      using repo = new AskingRepo([turn]);
      writeSteps(repo, `- {name: build, type: agent, ${step}spell: "Build it.\\n"}\n`);
      expect((await repo.run(["run", "proj-1", ...options])).code).toBe(0);
      const { runs } = await repo.json<{ runs: { usage: { cached_input_tokens: number; cost_usd?: number } }[] }>(
        "run",
        "list",
      );
      expect(runs[0]!.usage).toMatchObject({ input_tokens: 1_000_000, cached_input_tokens: 500_000 });
      return [runs[0]!.usage.cost_usd, (await repo.lines("step.warning")).map(({ message }) => message)];
    };
    expect(await cost("model: claude-opus-4-8, ", { usage, ...done }, "--max-cost", "9")).toEqual([2.75, []]);
    expect(await cost("model: gpt-5-codex, ", { usage, ...done })).toEqual([0.6875, []]);
    expect(await cost("model: claude-opus-4-8, ", { usage: { ...usage, cost_usd: 0.25 }, ...done })).toEqual([
      0.25,
      [],
    ]);
    const [unknown, warnings] = await cost("model: my-model, ", { usage, ...done }, "--max-cost", "0.01");
    expect([unknown, warnings.join()]).toEqual([
      undefined,
      expect.stringContaining("the price of my-model is not known"),
    ]);
  });

  test.each([
    ["--max-cost", ["0", "-1", "NaN", "much", "", "1e3"], "amount in US dollars, such as 2.50"],
    ["--max-tokens", ["0", "-5", "1.5", "many", "NaN"], "whole number from 1 on"],
    ["--max-rounds", ["0", "-5", "x"], "whole number from 1 on"],
    ["--max-time", ["0", "0s", "30", "-1m", "soon"], "duration such as 30m"],
  ])("W11 %s refuses what is no limit, and says the form", async (option, values, form) => {
    using repo = new AskingRepo([done]);
    for (const value of values) {
      for (const command of [
        ["run", "proj-1"],
        ["run", "retry", "proj-1"],
        ["ai", "scripted", "Hello"],
      ]) {
        const { code, stderr } = await repo.run([...command, `${option}=${value}`]);
        expect([code, stderr]).toEqual([2, expect.stringContaining(form)]);
      }
    }
  });
});

test("G17 options of a start are refused behind a subcommand, not dropped", async () => {
  using repo = new RunRepo("");
  for (const [name, option] of [
    ["resume", "--engine=codex"],
    ["retry", "--grimoire=other"],
    ["approve", "--grimoire=other"],
    ["show", "--var=a=1"],
  ] as const) {
    const { code, stderr } = await repo.run(["run", name, "proj-1", option]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`clew run ${name} takes no ${option.split("=")[0]}`)]);
  }
});
