import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { RunStep, SignalRecord } from "../../src/contract/run-digest.ts";
import { journalLine, type JournalLine } from "../../src/contract/run-journal.ts";
import type { SessionDocument } from "../../src/contract/session.ts";
import { expectedRuns } from "../support/expected-runs.ts";
import { FixtureRepo, fixturesOf, journalsOf } from "../support/fixture-repo.ts";
import { linesOf } from "../support/run-repo.ts";

interface ShownRun {
  id: string;
  bead_id: string;
  status: string;
  progress: { done: number; total: number };
}
type RunDetails = ShownRun & { steps: RunStep[]; signals: SignalRecord[]; blocked_reason?: string };

test("G16 every fixture of journals has its expectations", () => {
  expect(fixturesOf("journals")).toEqual(Object.keys(expectedRuns).map((name) => `journals/${name}`));
});

describe.each(Object.entries(expectedRuns))("G16 runs of %s", (name, expected) => {
  test("are listed, shown and logged as they were, with their snapshots and without", async () => {
    using repo = new FixtureRepo(`journals/${name}`);
    expect(await shownRuns(repo)).toEqual(expected.runs);
    // What lists and show read first is made of the journals.
    rmSync(join(repo.home, "state"), { recursive: true });
    expect(await shownRuns(repo)).toEqual(expected.runs);

    const printed = linesOf(`${await repo.clew("run", "log", "--all", "--json")}\n`);
    const events = Object.values(journalsOf(`journals/${name}`))
      .flatMap(linesOf)
      .filter((line) => "n" in line)
      .sort((one, other) => one.n - other.n);
    expect(printed.map((line) => ("n" in line ? line.n : undefined))).toEqual(events.map((_, at) => at + 1));
    expect(printed.map(({ type, at }) => `${at} ${type}`)).toEqual(events.map(({ type, at }) => `${at} ${type}`));
  });

  test("have their sessions, are found, and the doctor reads them all", async () => {
    using repo = new FixtureRepo(`journals/${name}`);
    const findings = (await repo.json<{ findings: Finding[] }>("doctor")).findings;
    expect(findings.filter(({ status }) => status === "error")).toEqual([]);
    const runIds = /\d{4}-\d\d-\d\d(?=-proj-\d)/g;
    const told = findings.filter(({ check }) => ["runs", "claims", "beads", "worktrees"].includes(check));
    expect(told.map(({ message }) => message.replaceAll(repo.root, "ROOT").replace(runIds, "RUN"))).toEqual(
      expected.doctor,
    );

    const { sessions } = await repo.json<{ sessions: { session_id: string }[] }>("session", "list");
    const shown = await Promise.all(sessions.map(({ session_id }) => repo.show(session_id)));
    expect(Object.fromEntries(shown.map((each) => [each.frontmatter["bead"], phasesOf(each)]))).toEqual(
      expected.sessions,
    );

    const { hits } = await repo.json<{ hits: { session_id: string; phase: string }[] }>("search", "ready");
    const prepared = Object.entries(expected.sessions).filter(([, phases]) => phases[0]!.startsWith("prepare"));
    expect(
      hits
        .filter(({ phase }) => phase === "prepare")
        .map(({ session_id }) => session_id.slice(11))
        .sort(),
    ).toEqual(prepared.map(([bead]) => bead));
  });

  test("go on to their end, in the same session, and leave nothing behind", async () => {
    using repo = new FixtureRepo(`journals/${name}`);
    repo.letGo();
    for (const words of expected.onwards) await repo.clew("run", ...words);
    const { runs } = await repo.json<{ runs: ShownRun[] }>("run", "list", "--all");
    expect(Object.fromEntries(runs.map(({ bead_id, status }) => [bead_id, status]))).toEqual(expected.ended);

    for (const { id, bead_id } of runs) {
      const before = expected.sessions[bead_id]!;
      const shown = await repo.show(id);
      expect(phasesOf(shown).slice(0, before.length - 1)).toEqual(before.slice(0, -1));
      expect(phasesOf(shown)[before.length - 1]!.startsWith(before.at(-1)!)).toBe(true);
      const questions = shown.phases.flatMap(({ entries }) =>
        entries.flatMap((entry) => ("id" in entry && entry.kind !== "answer" ? [entry.id] : [])),
      );
      expect(questions).toEqual([...new Set(questions)]);
    }
    expect(readdirSync(join(repo.home, "claims"))).toEqual([]);
    await repo.clew("doctor", "--repair");
    await repo.clew("worktree", "prune");
    const { findings } = await repo.json<{ findings: Finding[] }>("doctor");
    // Which engines there are is the machine's.
    expect(findings.filter(({ check, status }) => status !== "ok" && check !== "engine")).toEqual([]);
  });
});

test("G16 a run that waits goes on from what an earlier version printed and offered", async () => {
  using repo = new FixtureRepo("journals/3-verdicts-and-proofs");
  repo.letGo();
  await repo.clew("run", "approve", "proj-7");
  expect(repo.git("show", "main:rounds.txt")).toBe("round 2\n");
  await repo.clew("run", "resume", "proj-4");
  const { run } = await repo.json<{ run: RunDetails }>("run", "show", "proj-4");
  expect(run.steps.map(stepText)).toEqual([
    'prepare#1 succeeded "ready"',
    'rounds#1 succeeded "begun\\nthrough"',
    'rounds[1]/wait#1 succeeded "begun\\nthrough"',
    'after#1 succeeded "ready and begun\\nthrough"',
  ]);
  // What was completed is not done again.
  const started = repo.journal(run.id).filter((line) => line.type === "workflow.step.started");
  expect(started.map(({ path }) => path)).toEqual(["prepare", "rounds", "rounds[1]/wait", "rounds[1]/wait", "after"]);
});

test("G16 where an earlier run's worktree is gone, the way to it is named, and leads to the end", async () => {
  using repo = new FixtureRepo("journals/2-worktrees-and-merges", (path) => path === "worktrees");
  const refused = await repo.run(["run", "approve", "proj-3"]);
  expect(refused).toMatchObject({
    code: 3,
    stdout: expect.stringContaining(
      `${repo.root}/.worktrees/proj-3 is gone: clew doctor --repair makes it again`,
    ) as string,
  });
  await repo.clew("doctor", "--repair");
  expect((await repo.run(["run", "retry", "proj-3"])).code).toBe(4);
  await repo.clew("run", "approve", "proj-3");
  expect(repo.git("show", "main:new.txt")).toBe("new\n");
});

test("G16 a run of an earlier version keeps its bead: no second one begins", async () => {
  using repo = new FixtureRepo("journals/1-first");
  const { code } = await repo.run(["run", "proj-2"]);
  expect(code).toBe(3);
  expect(await shownRuns(repo)).toEqual(expectedRuns["1-first"]!.runs);
  await repo.clew("run", "cancel", "proj-2");
  expect(readdirSync(join(repo.home, "claims")).length).toBe(2);
});

test("G16 the newest fixture has every type of line that a journal can have", () => {
  const newest = fixturesOf("journals").at(-1)!;
  const shown = new Set(Object.values(journalsOf(newest)).flatMap((text) => linesOf(text).map(({ type }) => type)));
  const types = journalLine.def.options.map(({ shape }) => shape.type.def.values[0] as JournalLine["type"]);
  expect(types.length).toBeGreaterThan(20);
  // One that is missing: add it to the scene `everything`, and make a new fixture (test/fixtures/README.md).
  expect(types.filter((type) => !shown.has(type))).toEqual([]);
});

interface Finding {
  check: string;
  status: string;
  message: string;
}

/** By bead: the status, progress and reason of its run, its steps with what they gave, and what people said. */
async function shownRuns(repo: FixtureRepo): Promise<Record<string, string[]>> {
  const { runs, unreadable } = await repo.json<{ runs: ShownRun[]; unreadable: unknown[] }>("run", "list", "--all");
  expect(unreadable).toEqual([]);
  const told = runs.map(async ({ id, bead_id, status, progress: { done, total } }) => {
    const { run } = await repo.json<{ run: RunDetails }>("run", "show", id);
    expect(run.status).toBe(status);
    const state = [status, `${done}/${total}`, run.blocked_reason ?? []].flat().join(" ");
    return { bead_id, lines: [state, ...run.steps.map(stepText), ...run.signals.map(signalText)] };
  });
  return Object.fromEntries((await Promise.all(told)).map(({ bead_id, lines }) => [bead_id, lines]));
}

function stepText({ path, attempt, status, output }: RunStep): string {
  return [`${path}#${attempt}`, status, output === undefined ? [] : JSON.stringify(output)].flat().join(" ");
}

function signalText({ kind, to, by }: SignalRecord): string {
  return `${kind} of ${to ? `${to.path}#${to.attempt}` : "the run"} by ${by?.user ?? "nobody known"}`;
}

/** Each phase with the kinds of its entries. */
function phasesOf({ phases }: SessionDocument): string[] {
  return phases.map(({ title, entries }) => `${title}: ${entries.map(({ kind }) => kind).join(" ")}`.trimEnd());
}
