import type { JournalLine } from "../contract/run-journal.ts";
import type { Landing } from "../contract/run.ts";

/** Landings that a driver began and did not finish, by the path of their step. */
export class OpenLandings {
  readonly #open = new Map<string, Landing>();

  add(line: JournalLine): void {
    if (line.type === "merge.landing") {
      const { target, from, to } = line;
      this.#open.set(line.path, { target, from, to });
    } else if (line.type === "workflow.step.completed" && line.status !== "stopped") this.#open.delete(line.path);
  }

  at(path: string): Landing | undefined {
    return this.#open.get(path);
  }

  all(): Landing[] {
    return [...this.#open.values()];
  }
}
