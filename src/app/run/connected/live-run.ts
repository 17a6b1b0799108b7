import type { DriveNews } from "../../../contract/api/run.ts";
import type { StepAddress } from "../../../contract/run.ts";
import type { Standing } from "./standing.ts";
import { assignmentAfter, isSameStep, type Assignment } from "./assignment.ts";

/** Calls `work` once the time has passed; returns how to call it off. */
export type Later = (ms: number, work: () => void) => () => void;

/** What is the same as long as a run is driven. `folder` is where its steps work. */
export interface RunFacts extends Omit<Standing, "next"> {
  folder: string;
}

/** A run that this process drives, or follows, for a connected agent. */
export class LiveRun {
  readonly facts: RunFacts;
  readonly #stop = new AbortController();
  #assignment: Assignment | undefined;
  #isOver = false;
  #failure: { error: unknown } | undefined;
  readonly #onNews = new Set<() => void>();
  /** Resolves when nothing keeps this process from driving the run any more. */
  readonly #begun: Promise<AsyncIterable<DriveNews>>;
  /** Resolves when the run is driven no more. Never rejects. */
  readonly done: Promise<void>;

  /** `drive` is called at once; `assignmentNow` reads what the run asks for. */
  constructor(
    drive: (signal: AbortSignal) => Promise<AsyncIterable<DriveNews>>,
    assignmentNow: () => Assignment | undefined,
    facts: RunFacts,
  ) {
    this.facts = facts;
    this.#begun = drive(this.#stop.signal);
    this.done = this.#follow(assignmentNow);
  }

  get assignment(): Assignment | undefined {
    return this.#assignment;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  stop(): void {
    this.#stop.abort();
  }

  /**
   * Resolves when something is asked of the agent, but for what it has handed in just now, when the run is driven no more, or when
   * the time is over. Throws what kept the run from being driven.
   */
  async turn(handedIn: StepAddress | undefined, ms: number, later: Later): Promise<void> {
    await this.#begun;
    const isTurn = (): boolean =>
      this.#isOver || (this.#assignment !== undefined && !(handedIn && isSameStep(this.#assignment, handedIn)));
    if (!isTurn()) {
      await new Promise<void>((resolve) => {
        const end = (): void => {
          callOff();
          this.#onNews.delete(look);
          resolve();
        };
        const look = (): void => (isTurn() ? end() : undefined);
        const callOff = later(ms, end);
        this.#onNews.add(look);
      });
    }
    if (this.#failure) throw this.#failure.error;
  }

  async #follow(assignmentNow: () => Assignment | undefined): Promise<void> {
    try {
      const lines = await this.#begun;
      // Asked now: what was written before the first of the lines is not told by them.
      this.#assignment = assignmentNow();
      for await (const news of lines) {
        if (news.kind !== "line") continue;
        this.#assignment = assignmentAfter(news.line, this.#assignment);
        this.#tell();
      }
    } catch (error) {
      this.#failure = { error };
    }
    this.#isOver = true;
    this.#tell();
  }

  #tell(): void {
    for (const look of this.#onNews) look();
  }
}
