import type { JournalPlace, RunDigest, SignalRecord } from "../contract/run-digest.ts";
import { journalVersion, type JournalLine } from "../contract/run-journal.ts";
import type { StepAddress } from "../contract/run.ts";
import { OutputTail } from "./output-tail.ts";
import { RunSteps } from "./run-steps.ts";

/** More would not be read; the journal has them all. */
export const maxSignals = 100;

type DigestContent = Omit<RunDigest, "journal_bytes">;

/** Types that a digest takes nothing from. */
const ignoredTypes = new Set<string>([
  "workflow.started",
  "workflow.completed",
  "workflow.cancelled",
  "run.driven",
  "run.stopped",
  "run.torn",
  "loop.iteration",
  "step.process",
  "step.warning",
  "merge.landing",
  "merge.verifying",
  "merge.verified",
  "agent.init",
  "agent.thinking",
  "agent.tool_call",
  "agent.tool_result",
  "agent.usage",
  "agent.error",
  "agent.permission",
  "agent.permission_over",
] satisfies JournalLine["type"][]);

export function isDigested(type: string): boolean {
  return !ignoredTypes.has(type);
}

/** Folds a journal into what `run show` needs of it; goes on where an earlier digest stopped. */
export class DigestFold {
  readonly #id: string;
  readonly #steps: RunSteps;
  readonly #tail: OutputTail;
  readonly #rest: Omit<DigestContent, "version" | "id" | "steps" | "tail">;

  constructor(id: string, from?: RunDigest) {
    this.#id = id;
    this.#steps = new RunSteps(from?.steps);
    this.#tail = new OutputTail(from?.tail);
    this.#rest = from ?? { signals: [], wait: null, offer: null, merging: [], landed: [], approved: null };
  }

  get digest(): DigestContent {
    const { signals, wait, offer, merging, landed, approved } = this.#rest;
    const rest = { signals, wait, offer, merging, landed, approved };
    return { version: journalVersion, id: this.#id, steps: this.#steps.steps, ...rest, tail: this.#tail.state };
  }

  add(line: JournalLine, at: JournalPlace): void {
    const place = { offset: at.offset, bytes: at.bytes };
    this.#steps.add(line, place);
    this.#tail.add(line);
    const rest = this.#rest;
    if ("actions" in line) rest.wait = place;
    switch (line.type) {
      case "workflow.merge_pending":
        rest.offer = place;
        rest.approved = null;
        break;
      case "run.signal":
        rest.signals = [...rest.signals, signalRecordOf(line)].slice(-maxSignals);
        if (line.taken && line.signal.kind === "approve") rest.approved = line.to?.path ?? null;
        break;
      case "workflow.step.started":
        if (line.input?.kind !== "merge" || !line.input.offer) break;
        rest.merging = rest.merging.filter((merge) => !isAt(merge, line));
        rest.merging.push({ path: line.path, attempt: line.attempt, place });
        break;
      case "workflow.step.completed":
        if (line.path === rest.approved) rest.approved = null;
        if (line.status === "succeeded") {
          rest.landed.push(...rest.merging.filter((merge) => isAt(merge, line)).map((merge) => merge.place));
        }
        rest.merging = rest.merging.filter((merge) => !isAt(merge, line));
        break;
    }
  }
}

function isAt(one: StepAddress, other: StepAddress): boolean {
  return one.path === other.path && one.attempt === other.attempt;
}

function signalRecordOf({ signal, at, taken, to, by }: Extract<JournalLine, { type: "run.signal" }>): SignalRecord {
  return { ...signal, at: by?.at ?? at, taken, to, by: by ?? null };
}
