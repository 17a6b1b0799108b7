import type { JournalLine } from "../../contract/run-journal.ts";
import {
  addressText,
  type Outcome,
  type Preparation,
  type Signal,
  type StepAddress,
  type Wait,
} from "../../contract/run.ts";
import { OpenLandings } from "../../run/open-landings.ts";
import { OpenVerification } from "../../run/open-verification.ts";
import { isForAgent } from "../../run/signal-rules.ts";

type Stopped = Extract<Outcome, { kind: "timeout" }>;
/** The completion of a step's attempt, or of a preparation for it. */
export type Completed = Extract<JournalLine, { type: "workflow.step.completed" | "step.prepared" }>;
export type ProcessLine = Extract<JournalLine, { type: "step.process" }>;

/** A short completion is kept in memory; a long one is read again when it is needed. */
type IndexedCompletion = Completed | { offset: number; bytes: number };

const maxIndexedBytes = 1024;

/** Types that replay needs; all others are only for readers. */
const replayedTypes = new Set<JournalLine["type"]>([
  "workflow.started",
  "workflow.step.started",
  "workflow.step.completed",
  "workflow.blocked",
  "workflow.failed",
  "workflow.merge_pending",
  "workflow.completed",
  "workflow.cancelled",
  "loop.iteration",
  "run.signal",
  // Only for the time that the run was worked on before.
  "run.stopped",
  "step.preparing",
  "step.prepared",
  "step.process",
  "merge.landing",
  "merge.verifying",
  "merge.verified",
  // Only for the engine's session of a step that is cut off.
  "agent.init",
  // Only for what a step used that was cut off.
  "agent.usage",
]);

export function isReplayed(type: string): boolean {
  return replayedTypes.has(type as JournalLine["type"]);
}

/** What replay needs of a journal. */
export class JournalIndex {
  readonly #completed = new Map<string, IndexedCompletion>();
  readonly #recordedKeys = new Set<string>();
  readonly landings = new OpenLandings();
  readonly verification = new OpenVerification();
  readonly #iterations = new Map<string, "begun" | Stopped>();
  readonly #answers = new Map<string, Signal>();
  readonly #signals = new Set<string>();
  readonly #processes = new Map<string, ProcessLine[]>();
  /** Agent steps that were begun and not completed: how often, and the engine's session. */
  readonly #agentSteps = new Map<string, { times: number; engineSession?: string }>();
  /** Running time at which each loop's attempt began. */
  readonly #loopStarts = new Map<string, number>();
  #waiting: { key: string; isTimeout: boolean } | undefined;
  /** The run's own time limit counts from this running time. */
  runBegunMs = 0;
  runningMs = 0;
  isCancelled = false;
  endStatus: "completed" | "cancelled" | undefined;

  /** Adds a line of the file. */
  add(line: JournalLine, place: { offset: number; bytes: number }): void {
    if ("running_ms" in line) this.runningMs = line.running_ms;
    this.landings.add(line);
    this.verification.add(line);
    switch (line.type) {
      case "workflow.step.started":
        if (line.kind === "agent") this.#agentBegins(addressText(line));
        if (line.kind !== "loop") return;
        this.#recordedKeys.add(`loop ${addressText(line)}`);
        this.#loopStarts.set(addressText(line), line.running_ms);
        return;
      case "workflow.step.completed":
      case "step.prepared": {
        const kind = line.type === "step.prepared" ? line.kind : undefined;
        this.#completed.set(completionKey(line, kind), place.bytes <= maxIndexedBytes ? line : place);
        this.#processes.delete(addressText(line));
        this.#agentSteps.delete(addressText(line));
        return;
      }
      case "agent.init": {
        const step = this.#agentSteps.get(addressText(line));
        if (step && line.engine_session !== undefined) step.engineSession = line.engine_session;
        return;
      }
      case "workflow.blocked":
      case "workflow.failed":
      case "workflow.merge_pending": {
        const status = line.type === "workflow.merge_pending" ? "pending_merge" : line.type.slice("workflow.".length);
        this.#waiting = { key: `${status} ${addressText(line)}`, isTimeout: line.blocked_reason === "timeout" };
        this.#recordedKeys.add(this.#waiting.key);
        return;
      }
      case "workflow.completed":
        this.endStatus = "completed";
        return;
      case "workflow.cancelled":
        this.endStatus = "cancelled";
        return;
      case "loop.iteration":
        this.#iterations.set(
          `${line.path}[${line.iteration}]`,
          line.stopped ? { kind: line.stopped, scope: line.scope ?? null } : "begun",
        );
        return;
      case "run.signal":
        this.#signal(line);
        return;
      case "step.process": {
        const address = addressText(line);
        this.#processes.set(address, [...(this.#processes.get(address) ?? []), line]);
        return;
      }
    }
  }

  completed(address: StepAddress, kind?: Preparation["kind"]): IndexedCompletion | undefined {
    return this.#completed.get(completionKey(address, kind));
  }

  iteration(path: string, iteration: number): "begun" | Stopped | undefined {
    return this.#iterations.get(`${path}[${iteration}]`);
  }

  wasRecorded(key: string): boolean {
    return this.#recordedKeys.has(key);
  }

  waitKey({ status, ...address }: Pick<Wait, "status"> & StepAddress): string {
    return `${status} ${addressText(address)}`;
  }

  answer(waitKey: string): Signal | undefined {
    return this.#answers.get(waitKey);
  }

  hasSignal(id: string): boolean {
    return this.#signals.has(id);
  }

  /** Processes of steps that were not completed. */
  get openProcesses(): ProcessLine[] {
    return [...this.#processes.values()].flat();
  }

  /** What is known of an earlier start of this attempt, once it was begun again; undefined when there was none. */
  cutOff(address: StepAddress): { engineSession?: string } | undefined {
    const step = this.#agentSteps.get(addressText(address));
    if (!step || step.times < 2) return undefined;
    return step.engineSession === undefined ? {} : { engineSession: step.engineSession };
  }

  #agentBegins(address: string): void {
    const step = this.#agentSteps.get(address);
    if (step) step.times++;
    else this.#agentSteps.set(address, { times: 1 });
  }

  begunMs(loop: StepAddress): number {
    return this.#loopStarts.get(addressText(loop)) ?? this.runningMs;
  }

  #signal({ id, signal, taken, running_ms }: Extract<JournalLine, { type: "run.signal" }>): void {
    this.#signals.add(id);
    if (!taken || isForAgent(signal)) return;
    if (signal.kind === "cancel") this.isCancelled = true;
    else if (this.#waiting) {
      this.#answers.set(this.#waiting.key, signal);
      // A retry after a timeout grants the whole time again.
      if (this.#waiting.isTimeout) this.runBegunMs = running_ms;
      this.#waiting = undefined;
    }
  }
}

function completionKey(address: StepAddress, kind: Preparation["kind"] | undefined): string {
  return kind === undefined ? addressText(address) : `${kind} ${addressText(address)}`;
}
