import type { PermissionRequest } from "../../contract/permission.ts";
import type { OptionKind } from "../../contract/permission-values.ts";
import { ofRedactedParts, type Redacted } from "../../contract/redacted.ts";
import type { StepAddress } from "../../contract/run.ts";
import type { PermissionDesk } from "../../run/handlers.ts";
import type { RunClock } from "../system/run-clock.ts";
import type { RunJournal } from "./run-journal.ts";

/** The requests of the agent that works now. The run's clock stands still while one is open. */
export class LivePermissions {
  readonly #journal: Pick<RunJournal, "line">;
  readonly #clock: RunClock;
  readonly #open = new Map<string, (option: OptionKind) => void>();

  constructor(journal: Pick<RunJournal, "line">, clock: RunClock) {
    this.#journal = journal;
    this.#clock = clock;
  }

  /** What the work of one step gets. */
  deskAt({ path, attempt }: StepAddress): PermissionDesk {
    return {
      open: (request: Redacted<PermissionRequest>, onAnswer) => {
        const { runningMs: running_ms } = this.#clock;
        this.#journal.line({ ...request, type: "agent.permission", path, attempt, running_ms });
        this.#open.set(request.id, onAnswer);
        this.#clock.hold();
      },
      close: (id, reason) => {
        if (!this.#take(id)) return;
        const { runningMs: running_ms } = this.#clock;
        this.#journal.line(ofRedactedParts({ type: "agent.permission_over", path, attempt, id, reason, running_ms }));
      },
    };
  }

  has(id: string): boolean {
    return this.#open.has(id);
  }

  /** Hands over an answer that is on disk; does nothing when the request is over by now. */
  answer(id: string, option: OptionKind): void {
    this.#take(id)?.(option);
  }

  /** The work has ended, and no request with it is open any more. */
  clear(): void {
    for (const id of this.#open.keys()) this.#take(id);
  }

  #take(id: string): ((option: OptionKind) => void) | undefined {
    const onAnswer = this.#open.get(id);
    if (!this.#open.delete(id)) return undefined;
    this.#clock.release();
    return onAnswer;
  }
}
