import { describe, expect, test } from "vitest";
import { preview, step, write } from "../support/grimoires.ts";
import { MergeRepo } from "../support/merge-repo.ts";
import { endNow, processesWith } from "../support/processes.ts";
import type { Outcome, Repo } from "../support/repo.ts";
import { RunRepo } from "../support/run-repo.ts";
import { script, startClew, until } from "../support/runs.ts";

/** Two forks and two sessions away, in the last moment of the step; `../../left` tells that it came to be. */
const leave = "(setsid sh -c '(setsid sh -c \"echo x >> ../../left; exec sleep 300\" &)' > /dev/null 2>&1 &)";

/** The same, but surely there before the step ends. */
const leaveAndWait = `${leave}; while [ ! -e ../../left ]; do sleep 0.02; done`;

/** Starts itself anew every 50 ms, each time in a session of its own. */
const runaway = "sleep 0.05\necho x >> ../../left\nsetsid sh ../../runaway > /dev/null 2>&1 &\n";

/** Runs `clew run proj-1`, and gives what it left running; that is ended before the test goes on. */
async function leftBy(repo: Repo, run: (env: Record<string, string>) => Promise<Outcome>): Promise<Left> {
  const mark = `left-${process.pid}-${Math.random()}`;
  const { code } = await run({ MARK: mark });
  const left = processesWith(mark);
  for (let pids = left; pids.length > 0; pids = processesWith(mark)) pids.forEach(endNow);
  return { code, left: left.length };
}

interface Left {
  code: number | null;
  left: number;
}

const runBead =
  (repo: Repo, more: Record<string, string> = {}) =>
  (env: Record<string, string>): Promise<Outcome> =>
    repo.run(["run", "proj-1"], { env: { ...env, ...more } });

describe("G10 what leaves a step by setsid just as it ends is found by its mark", () => {
  test.each([
    ["it succeeds", `${leave}; exit 0`, 0],
    ["it fails", `${leave}; exit 1`, 3],
    ["its time is over", `${leave}; sleep 300`, 3],
  ])("G10 %s", async (_, command, code) => {
    using repo = new RunRepo(`- ${JSON.stringify(script("a", command, { timeout: "2s" }))}`);
    expect(await leftBy(repo, runBead(repo))).toEqual({ code, left: 0 });
  });

  test("G10 Ctrl-C", async () => {
    using repo = new RunRepo(`- ${JSON.stringify(script("a", `${leave}; sleep 300`))}`);
    const interrupted = async (env: Record<string, string>): Promise<Outcome> => {
      const { child, outcome } = startClew(repo, ["run", "proj-1"], { env });
      await until(() => processesWith(env["MARK"]!).length >= 4);
      child.kill("SIGINT");
      return outcome;
    };
    expect(await leftBy(repo, interrupted)).toEqual({ code: 130, left: 0 });
  });

  test.each([
    ["hears a TERM", ""],
    ["does not hear a TERM", "trap '' TERM\n"],
  ])("G10 a runaway that %s and forks anew every 50 ms is ended all the same", async (_, deaf) => {
    const command =
      "setsid sh ../../runaway > /dev/null 2>&1 & until grep -c x ../../left | grep -q 3; do sleep 0.02; done";
    using repo = new RunRepo(`- ${JSON.stringify(script("a", command))}`);
    write(repo, "runaway", deaf + runaway);
    expect(await leftBy(repo, runBead(repo))).toEqual({ code: 0, left: 0 });
  });

  test("G10 a tool of an agent's", async () => {
    using repo = new RunRepo(`- ${JSON.stringify({ name: "a", type: "agent", spell: "Work.\n" })}`);
    const env = repo.plays({ run: leave, result: { success: true, summary: "done" } });
    expect(await leftBy(repo, runBead(repo, env))).toEqual({ code: 0, left: 0 });
  });

  test("G10 G12 a merge's verify command", async () => {
    using repo = new MergeRepo("echo new > new.txt", { review: false, merge: { verify: leave } });
    expect(await leftBy(repo, runBead(repo))).toEqual({ code: 0, left: 0 });
    expect(repo.text("new.txt")).toBe("new\n");
  });

  test("G10 G11 the command that sets a worktree up", async () => {
    using repo = new RunRepo(`- ${JSON.stringify(script("a", "true"))}`);
    write(
      repo,
      ".clew/config.yaml",
      `default_grimoire: flow\nworktree: ${JSON.stringify({ setup: leave, copy: [] })}\n`,
    );
    expect(await leftBy(repo, runBead(repo))).toEqual({ code: 0, left: 0 });
  });

  test("G10 G16 a clew that was killed: the next command ends what its step left", async () => {
    using repo = new RunRepo(
      `- ${JSON.stringify(script("a", `test -e ../../left && exit; ${leaveAndWait}; kill -9 $PPID`))}`,
    );
    const killedAndResumed = async (env: Record<string, string>): Promise<Outcome> => {
      expect((await startClew(repo, ["run", "proj-1"], { env }).outcome).signal).toBe("SIGKILL");
      expect(processesWith(env["MARK"]!)).not.toEqual([]);
      return repo.run(["run", "resume", "latest"], { env });
    };
    expect(await leftBy(repo, killedAndResumed)).toEqual({ code: 0, left: 0 });
  });
});

describe("G10 detach lets be what left the group", () => {
  test.each([
    ["a script that succeeds", script("a", leaveAndWait, { detach: true }), 0],
    ["a script that fails", script("a", `${leaveAndWait}; exit 1`, { detach: true }), 3],
    ["an agent", { name: "a", type: "agent", spell: "Work.\n", detach: true }, 0],
  ])("G10 %s; what stayed in the group ends", async (_, source, code) => {
    using repo = new RunRepo(`- ${JSON.stringify(source)}`);
    const env = repo.plays({ run: `sleep 300 & ${leaveAndWait}`, result: { success: true, summary: "done" } });
    Object.assign(repo.env, env);
    const shown = await preview(repo);
    expect(step(shown, "a").detach).toBe(true);
    expect(await repo.clew("grimoire", "preview", "flow", "--bead", "proj-1")).toContain(
      "lets be what leaves its process group",
    );
    expect(await leftBy(repo, runBead(repo, env))).toEqual({ code, left: 1 });
  });
});
