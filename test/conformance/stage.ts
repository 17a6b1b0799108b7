import type { AnsweredPermission } from "../../src/contract/permission.ts";
import { addressText, type StepResult, type StepWork } from "../../src/contract/run.ts";
import type { Handlers, WorkContext } from "../../src/run/handlers.ts";

type Given = Partial<StepResult>;

/** A moment in a step's work at which a test can do something. */
export interface Gate {
  /** Resolves when the work has come here. */
  reached: Promise<void>;
  /** Lets it go on. */
  open(): void;
}

/** What merges have to offer. */
export const someOffer = {
  target: "main",
  head: "a".repeat(40),
  target_head: "b".repeat(40),
  tree: "c".repeat(40),
  commit: "d".repeat(40),
  files: [],
  totals: { files: 1, added: 2, deleted: 3 },
  flagged: [],
};

/** The handlers of a test: they note what they were asked to do, and give what the test wants; success unless it says otherwise. */
export class Stage {
  /** Addresses, in the order in which their work was begun. */
  readonly calls: string[] = [];
  /** What the values in each script were, by address. */
  readonly values: Record<string, string[]> = {};
  /** The permission that agents go on with, by address. */
  readonly answered: Record<string, AnsweredPermission | undefined> = {};
  /** Why work was ended, by address. */
  readonly ended: Record<string, unknown> = {};
  readonly handlers: Handlers;
  /** Merges that found that an earlier try may have changed their target. */
  readonly landings: string[] = [];
  /** Verifications that found that an earlier one may have left the merged tree in the worktree. */
  readonly verifications: string[] = [];
  /** Whether merges tell that they begin to change their target. */
  lands = false;
  readonly #gates = new Map<string, { gate: Gate; arrive: () => void; opened: Promise<void> }>();

  constructor(give: (task: StepWork) => Given | undefined = () => undefined) {
    const work = async (
      task: StepWork,
      { signal, landing, verification, logNow }: WorkContext,
    ): Promise<StepResult> => {
      const isPreparation = ["offer", "verify", "worktree"].includes(task.input.kind);
      const address = isPreparation ? `${task.input.kind} ${addressText(task)}` : addressText(task);
      if (task.input.kind === "merge") {
        if (landing) this.landings.push(`${address} again`);
        else if (this.lands) await logNow({ type: "merge.landing", target: "main", from: "a", to: "b" });
      }
      if (task.input.kind === "verify") {
        if (verification) this.verifications.push(`${address} again`);
        else await logNow({ type: "merge.verifying", branch: "clew/x", head: "a", commit: "b" });
      }
      this.calls.push(address);
      if (task.input.kind === "script") this.values[address] = Object.values(task.input.values);
      if (task.input.kind === "agent") this.answered[address] = task.input.answered;
      signal.addEventListener("abort", () => (this.ended[address] = signal.reason));
      await this.#pass(address, signal);
      const outputs = task.input.kind === "offer" ? { outputs: { offer: someOffer } } : {};
      return { success: true, output: `${task.path} done`, exit_code: 0, ...outputs, ...give(task) };
    };
    this.handlers = { script: work, agent: work, merge: work, offer: work, verify: work, worktree: work };
  }

  /** The next work at this address stops at a gate, until it is opened or the work is ended. */
  hold(address: string): Gate {
    let arrive = (): void => undefined;
    let open = (): void => undefined;
    const reached = new Promise<void>((resolve) => (arrive = resolve));
    const opened = new Promise<void>((resolve) => (open = resolve));
    const gate = { reached, open };
    this.#gates.set(address, { gate, arrive, opened });
    return gate;
  }

  /** How often each address was begun. */
  get times(): Record<string, number> {
    const times: Record<string, number> = {};
    for (const address of this.calls) times[address] = (times[address] ?? 0) + 1;
    return times;
  }

  async #pass(address: string, signal: AbortSignal): Promise<void> {
    const held = this.#gates.get(address);
    if (!held) return;
    this.#gates.delete(address);
    held.arrive();
    const aborted = new Promise((resolve) => signal.addEventListener("abort", resolve));
    await Promise.race([held.opened, aborted]);
  }
}
