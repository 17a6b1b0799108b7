import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ListedRun, UnreadableRun } from "../../src/contract/api/run.ts";
import { RunRepo } from "../support/run-repo.ts";
import { showRun } from "../support/runs.ts";

interface Listed {
  runs: ListedRun[];
  unreadable: UnreadableRun[];
}

const list = (repo: RunRepo, ...args: string[]): Promise<Listed> => repo.json("run", "list", ...args);
const ended = (repo: RunRepo): string => join(repo.home, "state/ended-runs.jsonl");
const state = (repo: RunRepo, id: string, ending: "json" | "digest" = "json"): string =>
  join(repo.home, "state/workflows", `${id}.${ending}`);
const journal = (repo: RunRepo, id: string): string => join(repo.home, "logs/workflows", `${id}.jsonl`);

describe("the list of runs that are over", () => {
  test("G14 no journal of such a run is read for a list, and nothing is deleted", async () => {
    using repo = new RunRepo("- {name: x, type: script, command: 'true'}");
    expect((await repo.run(["run", "proj-1"])).code).toBe(0);
    const id = await repo.runId();
    const before = await list(repo);
    expect(before.runs).toMatchObject([{ id, status: "completed" }]);
    rmSync(join(repo.home, "state/workflows"), { recursive: true });
    const { length } = readFileSync(journal(repo, id));
    writeFileSync(journal(repo, id), `${"x".repeat(length - 1)}\n`);
    expect(await list(repo)).toEqual(before);
    expect(await list(repo, "--status", "completed")).toEqual(before);
    // A journal of another length is another one.
    appendFileSync(journal(repo, id), "y\n");
    expect(await list(repo)).toMatchObject({ runs: [], unreadable: [{ id }] });
  });

  test("G14 nor is that of a run that waits, as long as its snapshot reaches to its end", async () => {
    using repo = new RunRepo("- {name: x, type: script, command: 'false'}");
    expect((await repo.run(["run", "proj-1"])).code).toBe(3);
    const id = await repo.runId();
    const before = await list(repo);
    expect(before.runs).toMatchObject([{ id, status: "blocked" }]);
    const { length } = readFileSync(journal(repo, id));
    writeFileSync(journal(repo, id), `${"x".repeat(length - 1)}\n`);
    expect(await list(repo)).toEqual(before);
    appendFileSync(journal(repo, id), "y\n");
    expect(await list(repo)).toMatchObject({ runs: [], unreadable: [{ id }] });
  });

  test("G14 the list comes back the same when its file is lost, damaged, or no file", async () => {
    using repo = new RunRepo("- {name: x, type: script, command: 'true'}");
    expect((await repo.run(["run", "proj-1"])).code).toBe(0);
    const before = await list(repo);
    const rows = readFileSync(ended(repo), "utf8");
    rmSync(ended(repo));
    expect(await list(repo)).toEqual(before);
    expect(readFileSync(ended(repo), "utf8")).toBe(rows);
    for (const text of ["", "{", "null\n", rows.slice(0, -20), `${rows.slice(0, -20)}\n{}\n`]) {
      writeFileSync(ended(repo), text);
      expect(await list(repo)).toEqual(before);
      expect(await list(repo)).toEqual(before);
    }
    rmSync(ended(repo));
    mkdirSync(ended(repo));
    expect(await list(repo)).toEqual(before);
  });

  test("G14 what ended over a week ago is listed with --all; its state goes when another run ends, not when somebody looks", async () => {
    using repo = new RunRepo("- {name: x, type: script, command: 'true'}");
    expect((await repo.run(["run", "proj-1"])).code).toBe(0);
    const id = await repo.runId();
    const old = (text: string): string => text.replace(/"20\d\d-\d\d-\d\dT/g, '"2020-01-01T');
    for (const file of [journal(repo, id), state(repo, id)]) writeFileSync(file, old(readFileSync(file, "utf8")));
    utimesSync(state(repo, id), 1_600_000_000, 1_600_000_000);
    rmSync(ended(repo));
    expect((await list(repo)).runs).toEqual([]);
    expect((await list(repo, "--all")).runs).toMatchObject([{ id, started: expect.stringMatching(/^2020/) as string }]);
    expect(existsSync(state(repo, id))).toBe(true);
    await repo.clew("bead", "reopen", "proj-1");
    expect((await repo.run(["run", "proj-1"])).code).toBe(0);
    expect([state(repo, id), state(repo, id, "digest")].filter((file) => existsSync(file))).toEqual([]);
    expect((await list(repo, "--all")).runs.map((run) => run.id)).toContain(id);
    expect(await showRun(repo, id)).toMatchObject({ status: "completed", steps: [{ path: "x" }] });
  });
});

describe("run show of a long journal", () => {
  const steps = `
- name: chatty
  type: script
  command: seq 1 2000; echo tail >&2
- name: broken
  type: script
  command: seq 1 30; echo the reason >&2; exit 1
`;

  test("G17 what the digest holds is shown without the lines before it, and all the same without a digest", async () => {
    using repo = new RunRepo(steps);
    expect((await repo.run(["run", "proj-1"])).code).toBe(3);
    const id = await repo.runId();
    const shown = await showRun(repo);
    expect(shown).toMatchObject({
      status: "blocked",
      steps: [
        { path: "chatty", status: "succeeded", output: expect.stringContaining("1999") as string },
        { path: "broken" },
      ],
      failed_output: { path: "broken", text: expect.stringMatching(/30\nthe reason$/) as string },
    });
    // What was printed is not needed any more.
    const good = readFileSync(journal(repo, id), "utf8");
    const noise = good.replaceAll(/^\{"type":"step.output".*$/gm, (line) => "?".repeat(Buffer.byteLength(line)));
    expect(noise).not.toBe(good);
    writeFileSync(journal(repo, id), noise);
    expect(await showRun(repo)).toEqual(shown);
    writeFileSync(journal(repo, id), good);
    for (const file of [state(repo, id, "digest"), state(repo, id)]) {
      rmSync(file);
      expect(await showRun(repo)).toEqual(shown);
    }
    expect((await repo.run(["run", "cancel", "latest"])).code).toBe(0);
    const cancelled = await showRun(repo);
    expect(cancelled).toMatchObject({ status: "cancelled", signals: [{ kind: "cancel", taken: true }] });
    rmSync(join(repo.home, "state/workflows"), { recursive: true });
    expect(await showRun(repo)).toEqual(cancelled);
  });

  test("G17 a digest that does not fit its journal does not matter", async () => {
    using repo = new RunRepo(steps);
    expect((await repo.run(["run", "proj-1"])).code).toBe(3);
    const id = await repo.runId();
    const shown = await showRun(repo);
    const kept = readFileSync(state(repo, id, "digest"), "utf8");
    for (const text of [
      "",
      "{",
      "null",
      kept.replace(/"journal_bytes":\d+/, '"journal_bytes":99999999'),
      kept.replace(id, "other"),
    ]) {
      writeFileSync(state(repo, id, "digest"), text);
      expect(await showRun(repo)).toEqual(shown);
    }
  });
});
