import type { Redacted } from "../../../src/contract/redacted.ts";
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { JournalLine } from "../../../src/contract/run-journal.ts";
import {
  StoppedByPerson,
  type Signal,
  type StepAddress,
  type StepResult,
  type StepWork,
} from "../../../src/contract/run.ts";
import type { PinnedRun } from "../../../src/contract/pinned-run.ts";
import type { SignalOrigin } from "../../../src/contract/run-fields.ts";
import type { Handlers, WorkContext } from "../../../src/run/handlers.ts";
import type { DriveEnd, DriveOptions, RunHost } from "../../../src/run/run-host.ts";
import type { Fault, FromWorker, Question, ToWorker } from "./messages.ts";

interface Asked {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
  options: DriveOptions | undefined;
}

type AnyHandler = (task: StepWork, context: WorkContext) => Promise<StepResult>;

/** A host in a process of its own. Handlers run here, in the test's process; their tasks and results go over. */
export class ProcessHost implements RunHost {
  readonly #child: ChildProcess;
  readonly #ready: Promise<unknown>;
  readonly #dead: Promise<void>;
  readonly #asked = new Map<number, Asked>();
  readonly #tasks = new Map<number, AbortController>();
  readonly #noted = new Map<number, () => void>();
  #count = 0;

  /** `args` say which host it is. */
  constructor(worker: string, args: string[]) {
    this.#child = fork(worker, args, { stdio: ["ignore", "ignore", "inherit", "ipc"], execArgv: [] });
    this.#ready = once(this.#child, "message");
    this.#dead = once(this.#child, "exit").then(() => this.#rejectAll());
    this.#child.on("message", (message: FromWorker) => this.#take(message));
  }

  async start(wantedId: string, pinned: Redacted<PinnedRun>): Promise<string> {
    return (await this.#ask({ what: "start", wantedId, pinned })) as string;
  }

  async signal(runId: string, signal: Signal, to: StepAddress | null, by?: SignalOrigin): Promise<void> {
    await this.#ask({ what: "signal", runId, signal, to, by });
  }

  async drive(runId: string, options: DriveOptions): Promise<DriveEnd> {
    return (await this.#ask({ what: "drive", runId }, options)) as DriveEnd;
  }

  /** The process looks for runs by itself from now on, until it dies. */
  attend(handlers: Handlers): void {
    this.#ask({ what: "attend" }, { handlers }).catch(() => undefined);
  }

  /** A run's whole log; without a run, the events of all. */
  async journal(runId: string | null): Promise<JournalLine[]> {
    return (await this.#ask({ what: "journal", runId })) as JournalLine[];
  }

  /** Whether it lives, and nothing that it was asked is open. */
  get isIdle(): boolean {
    return this.#child.connected && this.#asked.size === 0;
  }

  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#dead;
  }

  async #ask(question: Question, options?: DriveOptions): Promise<unknown> {
    const ask = ++this.#count;
    const interrupt = (): void => {
      const reason: unknown = options?.signal?.reason;
      this.#send({ interrupt: ask, ...(reason instanceof StoppedByPerson && { stopped: reason.reason }) });
    };
    options?.signal?.addEventListener("abort", interrupt);
    const answer = new Promise((resolve, reject) => this.#asked.set(ask, { resolve, reject, options }));
    try {
      await Promise.race([this.#ready, answer]);
      this.#send({ ask, question });
      return await answer;
    } finally {
      options?.signal?.removeEventListener("abort", interrupt);
      this.#asked.delete(ask);
    }
  }

  #send(message: ToWorker): void {
    if (this.#child.connected) this.#child.send(message);
  }

  #take(message: FromWorker): void {
    if ("answer" in message) {
      const asked = this.#asked.get(message.answer);
      if ("fault" in message) asked?.reject(Object.assign(new Error(message.fault.message), message.fault));
      else asked?.resolve(message.value);
    } else if ("work" in message) void this.#work(message);
    else if ("noted" in message) this.#noted.get(message.noted)?.();
    else if ("abort" in message) this.#tasks.get(message.abort)?.abort(message.reason);
    else if ("line" in message) this.#asked.get(message.drive)?.options?.onLine?.(message.line);
  }

  async #work({ task, drive, work, ...given }: Extract<FromWorker, { work: StepWork }>): Promise<void> {
    const controller = new AbortController();
    this.#tasks.set(task, controller);
    const handler = this.#asked.get(drive)?.options?.handlers[work.input.kind] as AnyHandler | undefined;
    try {
      if (!handler) throw new Error(`the test has no handler for ${work.input.kind}`);
      const log: WorkContext["log"] = (note) => this.#send({ note, task });
      const logNow: WorkContext["logNow"] = (note) =>
        new Promise((resolve) => {
          const now = ++this.#count;
          this.#noted.set(now, resolve);
          this.#send({ note, task, now });
        });
      const context = { ...given, signal: controller.signal, log, logNow };
      this.#send({ done: task, result: await handler(work, context) });
    } catch (error) {
      this.#send({ done: task, fault: { message: (error as Error).message } satisfies Fault });
    } finally {
      this.#tasks.delete(task);
    }
  }

  #rejectAll(): void {
    for (const { reject } of this.#asked.values()) reject(new Error("the host's process is dead"));
  }
}
