import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { addressText } from "../../src/contract/run.ts";
import { write, writeBead } from "../support/grimoires.ts";
import { processesWith, treeOf } from "../support/processes.ts";
import { random } from "../support/random.ts";
import { Repo } from "../support/repo.ts";
import { until } from "../support/runs.ts";
import { Killer } from "./kill.ts";
import { Broken, type Lane } from "./lane.ts";
import { events, RunWitness } from "./run-witness.ts";

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

/** Runs of one bead after the other, killed alone or with all that they started, and gone on with until they end. */
export class RunLane implements Lane {
  readonly name: string;
  readonly #repo = new Repo();
  readonly #next: () => number;
  readonly #killer: Killer;
  readonly #witness = new RunWitness(this.#repo);
  readonly #notes = join(this.#repo.root, "notes");
  readonly #mark: string;
  readonly #env: Record<string, string>;
  /** The bead that is worked on; those before it are done. */
  #bead = 0;

  /** There are beads for so many acts. */
  constructor(seed: number, acts: number) {
    this.name = `runs ${seed}`;
    this.#next = random(seed);
    this.#killer = new Killer(this.#next);
    this.#mark = `clew-kill-test-${process.pid}-${seed}`;
    const repo = this.#repo;
    this.#env = { NOTES: this.#notes, CLEW_SCRIPT: join(repo.root, "script.json"), KILL_TEST: this.#mark };
    writeBead(
      repo,
      ...Array.from({ length: acts + 1 }, (_, at) => ({ id: `proj-${at}`, title: `Bead ${at}`, status: "open" })),
    );
    write(repo, ".clew/grimoires/flow.yaml", grimoire);
    write(repo, ".clew/config.yaml", "default_grimoire: flow\nengine: scripted\n");
    write(repo, "script.json", JSON.stringify(script));
    write(repo, "first.txt", "first\n");
    repo.git("add", "first.txt");
    repo.git("commit", "-q", "-m", "files");
    write(repo, ".git/info/exclude", [".beads", ".clew", "script.json", "notes"].join("\n"));
  }

  get root(): string {
    return this.#repo.root;
  }

  get kills(): number {
    return this.#killer.kills;
  }

  get runs(): number {
    return this.#bead;
  }

  /** Begins the bead's run or goes on with it. Every second kill takes all that was started along. */
  async act(): Promise<void> {
    const isTree = this.kills % 2 === 1;
    await this.#go(0.85, isTree);
  }

  async finish(): Promise<void> {
    await this.#go(0, false);
    const { stdout } = await this.#repo.run(["run", "log", "--all", "--json"], { env: this.#env });
    const numbers = events(stdout).map(({ n }) => n);
    expectEqual(
      "numbers of events",
      numbers,
      numbers.map((_, at) => at + 1),
    );
    const { beads } = await this.#repo.json<{ beads: { id: string; status: string }[] }>("bead", "list", "--all");
    const begun = beads.filter(({ status }) => status !== "open").map(({ id, status }) => `${id} ${status}`);
    const done = Array.from({ length: this.#bead }, (_, at) => `proj-${at} closed`);
    expectEqual("beads that are not open", begun.sort(), done.sort());
    // What a killed process started may still be on its way out.
    await until(async () => (await this.#repo.json<{ kept: unknown[] }>("worktree", "prune")).kept.length === 0);
    expectEqual("worktrees", (await this.#repo.json<{ worktrees: unknown[] }>("worktree", "list")).worktrees, []);
    await this.#repo.clew("doctor", "--repair");
    expectEqual("claims", readdirSync(join(this.#repo.home, "claims")), []);
  }

  [Symbol.dispose](): void {
    this.#repo[Symbol.dispose]();
  }

  #runId(): string {
    return this.#witness.runs().find((id) => id.endsWith(`-proj-${this.#bead}`)) ?? "none";
  }

  /** A git that was killed with its clew may leave a lock that only a person can judge; this one removes it when told. */
  #hasLeftLock(stderr: string): boolean {
    if (!/stays: git did not delete it: .*packed-refs\.lock/.test(stderr)) return false;
    rmSync(join(this.#repo.root, ".git/packed-refs.lock"), { force: true });
    return true;
  }

  async #go(share: number, isTree: boolean): Promise<void> {
    // A run that was killed after its end has nothing more to do than to say so.
    const isOver = this.#witness.events(this.#runId()).at(-1)?.type === "workflow.completed";
    const args = isOver ? ["run", "resume", this.#runId()] : ["run", `proj-${this.#bead}`];
    const child = this.#repo.start([...args, "--json"], { env: this.#env });
    const doomed = (): Iterable<number> =>
      isTree ? new Set([...treeOf(child.pid!), ...processesWith(this.#mark)]) : [child.pid!];
    const { isKilled, code, stdout, stderr } = await this.#killer.strike(child, args[1]!.slice(0, 4), share, doomed);
    this.#witness.heard(stdout);
    expectEqual("events that were told and are not kept", this.#witness.lost(), []);
    expectEqual("completed steps that ran again", this.#witness.repeated(this.#runId(), this.#readNotes()), []);
    if (isKilled) return;
    const told = this.#witness.events(this.#runId());
    if (code !== 0 || (stderr !== "" && !this.#hasLeftLock(stderr)))
      throw new Broken(`${args.join(" ")} did not end well`, { code, stderr, last: told.slice(-3) });
    this.#expectDone(told);
    this.#bead++;
  }

  #expectDone(told: ReturnType<RunWitness["events"]>): void {
    const repo = this.#repo;
    const completed = told.filter((event) => event.type === "workflow.step.completed");
    expectEqual("completed steps", completed.map(addressText), expected);
    const weighed = completed.find(({ path }) => path === "weigh");
    expectEqual("what a step gave", JSON.stringify(weighed?.output)?.replace(/\s/g, ""), '"108893"');
    const last = told.at(-1);
    const usage = last?.type === "workflow.completed" ? last.usage : undefined;
    const own = completed.map((step) => step.usage?.input_tokens ?? 0).reduce((sum, each) => sum + each, 0);
    expectEqual("tokens of completed steps", own, 30);
    // What agents had used when they were killed counts as well: each told of 10 in and 2 out.
    const lost = Math.max(0, Math.round(((usage?.input_tokens ?? 0) - 30) / 10));
    expectEqual("tokens", [usage?.input_tokens, usage?.output_tokens], [30 + 10 * lost, 6 + 2 * lost]);
    expectEqual("what landed", repo.git("show", `main:proj-${this.#bead}.txt`), `proj-${this.#bead}\n`);
    const files = repo.git("ls-tree", "--name-only", "main", "first.txt", "litter.txt");
    expectEqual("files that nobody merged", files, "first.txt\n");
    expectEqual("a file that nobody changed", repo.git("show", "main:first.txt"), "first\n");
    expectEqual("changes in the checkout", repo.git("status", "--short"), "");
    expectEqual("processes that stayed", processesWith(this.#mark), []);
  }

  #readNotes(): string[] {
    return existsSync(this.#notes) ? readFileSync(this.#notes, "utf8").split("\n") : [];
  }
}

function expectEqual(what: string, seen: unknown, wanted: unknown): void {
  if (!isDeepStrictEqual(seen, wanted)) throw new Broken(what, { seen, wanted });
}

const iteration = (outer: number): string[] => [
  `outer[${outer}]/inner[1]/try#1`,
  `outer[${outer}]/inner[1]/mend#1`,
  `outer[${outer}]/inner[2]/try#1`,
  `outer[${outer}]/inner#1`,
  `outer[${outer}]/only-second#1`,
];
const expected = ["prepare#1", ...[1, 2, 3].flatMap(iteration), "outer#1", "weigh#1", "merge#1"];
