import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { RunEvent } from "../../src/contract/run-journal.ts";
import { addressText } from "../../src/contract/run.ts";
import type { Repo } from "../support/repo.ts";

/** What clew acknowledged, and what its journals say. Answers are lists of what is wrong: empty when all is well. */
export class RunWitness {
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
export function events(text: string): RunEvent[] {
  return text
    .split("\n")
    .slice(0, -1)
    .filter((line) => !line.endsWith("~torn~"))
    .map((line) => JSON.parse(line) as RunEvent)
    .filter((line) => "n" in line);
}
