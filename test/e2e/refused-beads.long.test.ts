import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { bead, write, writeBead } from "../support/grimoires.ts";
import { MergeRepo } from "../support/merge-repo.ts";
import { RunRepo } from "../support/run-repo.ts";
import type { Repo } from "../support/repo.ts";
import { showRun, startClew, until } from "../support/runs.ts";

interface Items {
  items: Record<string, string>[];
}

const oneStep = "- {name: x, type: script, command: echo x >> ../../notes}";

function kept(repo: Repo): string[] {
  const folder = join(repo.home, "refused");
  return existsSync(folder) ? readdirSync(folder) : [];
}

async function inbox(repo: Repo): Promise<Items["items"]> {
  return (await repo.json<Items>("inbox")).items;
}

describe("a bead whose run could not begin", () => {
  test("G14 G19 waits in the inbox with the reason until its run begins", async () => {
    using repo = new RunRepo(oneStep);
    writeBead(repo, { ...bead, labels: ["grimoire:missing"] });
    expect((await repo.run(["daemon", "run", "--once"])).code).toBe(1);
    const [item, ...others] = await inbox(repo);
    expect(others).toEqual([]);
    expect(item).toEqual({
      id: "refused:proj-1",
      kind: "decision_needed",
      text: expect.stringMatching(
        /^proj-1 cannot be started: there is no grimoire missing \(label grimoire:missing\)\n.+\nMend it; the daemon tries again, and so does clew run proj-1$/,
      ) as string,
      bead: "proj-1",
    });
    expect(kept(repo)).toEqual(["proj-1.json"]);
    expect(await repo.clew("inbox")).toContain("there is no grimoire missing");
    const { code, hint } = await repo.refused(["inbox", "answer", "refused:proj-1", "retry"]);
    expect([code, hint]).toEqual(["not_possible_now", expect.stringContaining("clew run proj-1")]);
    // What a person tries by hand and is refused leaves no trace, and takes none away.
    await repo.refused(["run", "proj-1"]);
    expect(await inbox(repo)).toEqual([item]);
    await repo.clew("run", "proj-1", "--grimoire", "flow");
    expect([await inbox(repo), kept(repo)]).toEqual([[], []]);
  });

  test("G19 a command that a person typed and that was refused is not in the inbox", async () => {
    using repo = new RunRepo(oneStep);
    await repo.refused(["run", "proj-1", "--grimoire", "missing"]);
    expect([await inbox(repo), kept(repo)]).toEqual([[], []]);
  });

  test("G14 a bead that was closed or is gone waits for nobody", async () => {
    using repo = new RunRepo(oneStep);
    const bad = { ...bead, labels: ["grimoire:missing"] };
    writeBead(repo, bad, { ...bad, id: "proj-2" });
    await repo.run(["daemon", "run", "--once"]);
    expect((await inbox(repo)).map(({ beads }) => beads)).toEqual([["proj-1", "proj-2"]]);
    await repo.clew("bead", "close", "proj-1");
    expect((await inbox(repo)).map(({ bead: id }) => id)).toEqual(["proj-2"]);
    writeBead(repo, { ...bead, id: "proj-3", status: "closed" });
    expect(await inbox(repo)).toEqual([]);
    await repo.run(["daemon", "run", "--once"]);
    expect(kept(repo)).toEqual([]);
  });

  test("G19 it is tried again as soon as the grimoire or the settings change, and not before", async () => {
    using repo = new RunRepo("- {name: x, type: script, command: 'echo {{.nothing}}'}");
    writeBead(repo, bead, { ...bead, id: "proj-2", labels: ["grimoire:asks"] });
    write(
      repo,
      ".clew/grimoires/asks.yaml",
      'name: asks\ndescription: An agent.\nsteps: [{name: x, type: agent, spell: "Do\\nit"}]\n',
    );
    write(repo, ".clew/config.yaml", "default_grimoire: flow\nengine: nowhere\n");
    const daemon = startClew(repo, ["daemon", "run", "--json"], {
      env: repo.plays({ result: { success: true, summary: "done" } }),
    });
    const count = (text: string): number => daemon.printed().split(text).length - 1;
    await until(() => count("scheduler.backed_off") === 2);
    expect((await inbox(repo)).map(({ bead: id }) => id)).toEqual(["proj-1", "proj-2"]);
    write(repo, ".clew/grimoires/flow.yaml", `name: flow\ndescription: Mended.\nsteps:\n  ${oneStep}\n`);
    await until(() => daemon.printed().includes('"scheduler.rested"'));
    await until(async () => (await inbox(repo)).length === 1);
    write(repo, ".clew/config.yaml", "default_grimoire: flow\nengine: scripted\n");
    await until(() => count('"scheduler.rested"') === 2);
    expect(await inbox(repo)).toEqual([]);
    daemon.child.kill("SIGINT");
    expect((await daemon.outcome).code).toBe(130);
  });

  test("D7 the reason is redacted before it is written", async () => {
    using repo = new RunRepo(oneStep);
    const secret = `xk7${"q9z".repeat(4)}`;
    writeBead(repo, { ...bead, labels: [`grimoire:${secret}`] });
    await repo.run(["daemon", "run", "--once"], { env: { MY_TOKEN: secret } });
    expect(JSON.stringify(await inbox(repo))).toContain("there is no grimoire [redacted");
  });
});

test("G14 what a run asks names its run and its bead", async () => {
  using repo = new MergeRepo("echo new > new.txt");
  await repo.clew("session", "start", "A person's own");
  await repo.clew("session", "log", "decision_needed", "Well?");
  await repo.clewRun("start");
  const { id } = await showRun(repo);
  const items = await inbox(repo);
  expect(items.find(({ kind }) => kind === "approval_required")).toMatchObject({
    session_id: id,
    run: id,
    bead: "proj-1",
  });
  const own = items.find(({ kind }) => kind === "decision_needed")!;
  expect([own["run"], own["bead"]]).toEqual([undefined, undefined]);
});
