import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { expect, it } from "vitest";
import type { RunEvent } from "../../src/contract/run-journal.ts";
import { addressText } from "../../src/contract/run.ts";
import { write, writeBead } from "../support/grimoires.ts";
import { endNow, processesWith, treeOf } from "../support/processes.ts";
import { outcomeOf, Repo } from "../support/repo.ts";
import { random } from "../support/random.ts";
import { until } from "../support/runs.ts";

const kills = Number(process.env["CLEW_KILLS"] ?? 200);
const seed = Number(process.env["CLEW_SEED"] ?? Date.now() % 1_000_000);

/** Every step writes down when it begins and ends. Agents do so through the scripted engine, which really runs it. */
const note = (what: string): string => `echo "${what} $CLEW_RUN $CLEW_STEP" >> "$NOTES"`;

const grimoire = `
name: flow
description: Nested loops, agents and large outputs.
steps:
  - name: prepare
    type: script
    command: |
      ${note("begin")}
      seq 1 20000
      ${note("end")}
  - name: outer
    type: loop
    max_iterations: 3
    on_max_iterations: exit
    steps:
      - name: inner
        type: loop
        max_iterations: 4
        on_max_iterations: block
        steps:
          - name: try
            type: script
            on_fail: continue
            on_success: exit_loop
            command: |
              ${note("begin")}
              sleep 0.02 & wait
              echo {{.iteration}}
              ${note("end")}
              test {{.iteration}} -ge 2
          - name: mend
            type: agent
            when: "{{.previous.failed}}"
            spell: |
              Mend iteration {{.iteration}} after this:
              {{.previous.output}}
      - name: only-second
        type: script
        when: "{{eq .iteration 2}}"
        command: |
          ${note("begin")}
          ${note("end")}
  - name: weigh
    type: script
    input:
      lines: "{{.prepare.output}}"
    command: |
      ${note("begin")}
      printf '%s' {{.lines}} | wc -c
      echo {{.bead.id}} > {{.bead.id}}.txt
      ${note("end")}
  - name: merge
    type: merge
    require_review: false
    strategy: squash
    verify: |
      echo litter > litter.txt
      echo changed >> first.txt
      sleep 0.1
      test "$(cat {{.bead.id}}.txt)" = {{.bead.id}}
`;

const script = {
  turns: [
    { say: "On it.", run: note("begin") },
    { delay_ms: 20, run: note("end"), usage: { input: 10, output: 2 } },
    { result: { success: true, summary: "mended", outputs: { fixed: true } } },
  ],
};

it(
  `G16 killed ${kills} times at random instants, alone or with all it started, every run ends right (CLEW_SEED=${seed})`,
  { timeout: 600_000 },
  async () => {
    console.log(`CLEW_SEED=${seed}`);
    using repo = new Repo();
    const next = random(seed);
    const beads = Array.from({ length: kills + 1 }, (_, at) => ({
      id: `proj-${at}`,
      title: `Bead ${at}`,
      status: "open",
    }));
    writeBead(repo, ...beads);
    write(repo, ".clew/grimoires/flow.yaml", grimoire);
    write(repo, ".clew/config.yaml", "default_grimoire: flow\nengine: scripted\n");
    write(repo, "script.json", JSON.stringify(script));
    write(repo, "first.txt", "first\n");
    repo.git("add", "first.txt");
    repo.git("commit", "-q", "-m", "files");
    write(repo, ".git/info/exclude", [".beads", ".clew", "script.json", "notes"].join("\n"));
    const notes = join(repo.root, "notes");
    const mark = `clew-kill-test-${process.pid}-${seed}`;
    const env = { NOTES: notes, CLEW_SCRIPT: join(repo.root, "script.json"), KILL_TEST: mark };
    const witness = new Witness(repo);
    const runId = (at: number): string => witness.runs().find((id) => id.endsWith(`-proj-${at}`)) ?? "none";
    const readNotes = (): string[] => (existsSync(notes) ? readFileSync(notes, "utf8").split("\n") : []);
    const run = async (at: number, killAfterMs?: number, isTree = false): Promise<boolean> => {
      // A run that was killed after its end has nothing more to do than to say so.
      const isOver = witness.events(runId(at)).at(-1)?.type === "workflow.completed";
      const args = isOver ? ["run", "resume", runId(at)] : ["run", `proj-${at}`];
      const child = repo.start([...args, "--json"], { env });
      const ended = outcomeOf(child);
      const isKilled =
        killAfterMs !== undefined && (await Promise.race([ended, sleep(killAfterMs, "late")])) === "late";
      if (isKilled) {
        const doomed = isTree ? new Set([...treeOf(child.pid!), ...processesWith(mark)]) : [child.pid!];
        for (const pid of doomed) endNow(pid);
      }
      const { code, stdout, stderr } = await ended;
      witness.heard(stdout);
      expect(witness.lost()).toEqual([]);
      expect(witness.repeated(runId(at), readNotes())).toEqual([]);
      if (isKilled) return false;
      expect([code, stderr]).toEqual([0, ""]);
      const told = witness.events(runId(at));
      const completed = told.filter((event) => event.type === "workflow.step.completed");
      expect(completed.map(addressText)).toEqual(expected);
      expect(told.at(-1)).toMatchObject({ type: "workflow.completed", usage: { input_tokens: 30, output_tokens: 6 } });
      expect(completed.at(-2)).toMatchObject({
        path: "weigh",
        output: expect.stringMatching(/^\s*108893$/) as unknown,
      });
      expect(repo.git("show", `main:proj-${at}.txt`)).toBe(`proj-${at}\n`);
      expect(repo.git("ls-tree", "--name-only", "main", "first.txt", "litter.txt")).toBe("first.txt\n");
      expect(repo.git("show", "main:first.txt")).toBe("first\n");
      expect(repo.git("status", "--short")).toBe("");
      expect(processesWith(mark)).toEqual([]);
      return true;
    };

    let killed = 0;
    let bead = 0;
    while (killed < kills) {
      if (await run(bead, next() * 1000, killed % 2 === 1)) bead++;
      else killed++;
    }
    // The last one goes on to its end without being killed.
    await run(bead);
    const { stdout } = await repo.run(["run", "log", "--all", "--json"], { env });
    const numbers = events(stdout).map(({ n }) => n);
    expect(numbers).toEqual(numbers.map((_, at) => at + 1));
    const { beads: listed } = await repo.json<{ beads: { id: string; status: string }[] }>("bead", "list", "--all");
    const closed = listed.filter(({ status }) => status !== "open");
    expect(closed.map(({ id, status }) => `${id} ${status}`).sort()).toEqual(
      Array.from({ length: bead + 1 }, (_, at) => `proj-${at} closed`).sort(),
    );
    // What a killed process started may still be on its way out.
    await until(async () => (await repo.json<{ kept: unknown[] }>("worktree", "prune")).kept.length === 0);
    expect((await repo.json<{ worktrees: unknown[] }>("worktree", "list")).worktrees).toEqual([]);
    await repo.clew("doctor", "--repair");
    expect(readdirSync(join(repo.home, "claims"))).toEqual([]);
    console.log(`${killed} kills, ${bead + 1} runs, ${numbers.length} events`);
  },
);

/** What clew acknowledged, and what its journals say. Answers are lists of what is wrong: empty when all is well. */
class Witness {
  readonly #repo: Repo;
  readonly #told: (RunEvent & { workflow_id: string })[] = [];
  /** For completions that were on disk, how long the notes were when they were first seen. */
  readonly #completed = new Map<string, number>();

  constructor(repo: Repo) {
    this.#repo = repo;
  }

  /** What clew printed, it had written. */
  heard(stdout: string): void {
    this.#told.push(...(events(stdout) as (RunEvent & { workflow_id: string })[]));
  }

  /** Acknowledged events that the journals do not have, word for word. */
  lost(): string[] {
    const missing = this.#told.filter(({ workflow_id, ...told }) => {
      const kept = this.events(workflow_id).find(({ n }) => n === told.n);
      return !isDeepStrictEqual(kept, told.type === "workflow.started" ? { ...told, workflow_id } : told);
    });
    this.#told.length = 0;
    return missing.map(({ n, type }) => `${n} ${type}`);
  }

  /** Steps whose completion was on disk, and that ran after that. */
  repeated(runId: string, notes: string[]): string[] {
    const found: string[] = [];
    for (const event of this.events(runId)) {
      if (event.type !== "workflow.step.completed" || event.status === "skipped") continue;
      const address = addressText(event);
      const seen = this.#completed.get(`${runId} ${address}`) ?? notes.length;
      this.#completed.set(`${runId} ${address}`, seen);
      found.push(...notes.slice(seen).filter((line) => line.endsWith(` ${runId} ${address}`)));
    }
    return found;
  }

  runs(): string[] {
    const folder = join(this.#repo.home, "logs/workflows");
    const names = existsSync(folder) ? readdirSync(folder) : [];
    return names.filter((name) => name.endsWith(".jsonl")).map((name) => name.slice(0, -".jsonl".length));
  }

  events(runId: string): RunEvent[] {
    const path = join(this.#repo.home, "logs/workflows", `${runId}.jsonl`);
    return existsSync(path) ? events(readFileSync(path, "utf8")) : [];
  }
}

/** The events among JSON lines; a torn one is no event. */
function events(text: string): RunEvent[] {
  return text
    .split("\n")
    .slice(0, -1)
    .filter((line) => !line.endsWith("~torn~"))
    .map((line) => JSON.parse(line) as RunEvent)
    .filter((line) => "n" in line);
}

const iteration = (outer: number): string[] => [
  `outer[${outer}]/inner[1]/try#1`,
  `outer[${outer}]/inner[1]/mend#1`,
  `outer[${outer}]/inner[2]/try#1`,
  `outer[${outer}]/inner#1`,
  `outer[${outer}]/only-second#1`,
];
const expected = ["prepare#1", ...[1, 2, 3].flatMap(iteration), "outer#1", "weigh#1", "merge#1"];
