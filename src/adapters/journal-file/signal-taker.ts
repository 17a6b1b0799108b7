import type { OptionKind } from "../../contract/permission-values.ts";
import type { Redacted } from "../../contract/redacted.ts";
import type { SignalFile } from "../../contract/run-journal.ts";
import type { Wait } from "../../contract/run.ts";
import { signalLine } from "../../run/host-events.ts";
import { answersWait, isForAgent, type AgentSignal } from "../../run/signal-rules.ts";
import type { LiveHandle } from "./live-handle.ts";
import type { LivePermissions } from "./live-permissions.ts";
import type { RunJournal } from "./run-journal.ts";
import type { SignalFiles } from "./signal-files.ts";

interface Parts {
  journal: RunJournal;
  signals: SignalFiles;
  /** A clock that never jumps. */
  elapsedMs: () => number;
  /** How often to look for signals while a step runs. */
  lookEveryMs: number;
  /** Time that the run has been worked on. */
  runningMs: () => number;
  permissions: Pick<LivePermissions, "has" | "answer">;
  handle: Pick<LiveHandle, "deliver">;
}

/** Writes the signals to a run into its journal. */
export class SignalTaker {
  readonly #parts: Parts;
  #lastLookMs = -Infinity;
  #taking = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Between quick steps, this looks for signals no more often than within a slow one. */
  async takeIfDue(): Promise<void> {
    if (this.#parts.elapsedMs() - this.#lastLookMs >= this.#parts.lookEveryMs) await this.take(undefined);
  }

  /** A signal that does not answer this wait is recorded and dropped. */
  take(wait: Wait | undefined): Promise<void> {
    // One at a time: a signal's file is removed only once its line is on disk.
    const taking = this.#taking.catch(() => undefined).then(() => this.#takeAll(wait));
    this.#taking = taking;
    return taking;
  }

  /** The same for those that are for an agent alone: the others stay. */
  takeForAgents(): Promise<void> {
    const taking = this.#taking.catch(() => undefined).then(() => this.#takeFiles(this.#listForAgents(), undefined));
    this.#taking = taking;
    return taking;
  }

  #listForAgents(): Redacted<SignalFile>[] {
    const { journal, signals } = this.#parts;
    return signals.list(journal.runId).filter(({ signal }) => isForAgent(signal));
  }

  async #takeAll(wait: Wait | undefined): Promise<void> {
    const { journal, signals, elapsedMs } = this.#parts;
    this.#lastLookMs = elapsedMs();
    // Listed once: signals that come meanwhile stay for the next call.
    await this.#takeFiles(signals.list(journal.runId), wait);
  }

  async #takeFiles(files: Redacted<SignalFile>[], wait: Wait | undefined): Promise<void> {
    const { journal, signals, runningMs, permissions } = this.#parts;
    const newSignals = files.filter(({ id }) => !journal.index.hasSignal(id));
    // Of several answers the newest counts: its author knew the others.
    const answer = newSignals.findLast(({ signal, to }) => signal.kind !== "cancel" && answersWait(signal, to, wait));
    const given = firstAnswers(newSignals, permissions);
    const forLater = new Set<string>();
    for (const file of newSignals) {
      if (isForAgent(file.signal)) {
        if (!this.#deliver(file, file.signal)) forLater.add(file.id);
        continue;
      }
      const isMeant =
        file.signal.kind === "cancel" || file.id === answer?.id || [...given.values()].some(({ id }) => id === file.id);
      journal.line(signalLine(file, !journal.index.isCancelled && isMeant, runningMs()));
    }
    if (newSignals.length > forLater.size) await journal.sync();
    if (!journal.index.isCancelled) for (const [request, { option }] of given) permissions.answer(request, option);
    for (const { id } of files) if (!forLater.has(id)) signals.remove(journal.runId, id);
  }

  /**
   * Hands a signal to the agent that it is for, and records what became of it; false when that agent is only starting. A crash in between
   * hands it over once more, to the agent that goes on with the same attempt: rather twice than never.
   */
  #deliver(file: Redacted<SignalFile>, signal: AgentSignal): boolean {
    const { journal, handle, runningMs } = this.#parts;
    const delivery = journal.index.isCancelled ? { refusal: "the run was cancelled" } : handle.deliver(signal, file);
    if (delivery === "later") return false;
    const { refusal } = delivery;
    journal.line(signalLine(file, refusal === undefined, runningMs(), refusal));
    return true;
  }
}

/** Of several answers to one request the first counts: the agent goes on with it at once. */
function firstAnswers(
  newSignals: SignalFile[],
  permissions: Pick<LivePermissions, "has">,
): Map<string, { id: string; option: OptionKind }> {
  const answers = new Map<string, { id: string; option: OptionKind }>();
  for (const { id, signal } of newSignals) {
    if (signal.kind !== "permission" || !permissions.has(signal.request) || answers.has(signal.request)) continue;
    answers.set(signal.request, { id, option: signal.option });
  }
  return answers;
}
