import { waitQuestionId } from "./wait-question-id.ts";
import { wordOf } from "../contract/permission-values.ts";
import type { JournalLine, RunEvent } from "../contract/run-journal.ts";
import { addressText, type Signal, type StepAddress } from "../contract/run.ts";
import type { StepInput } from "../contract/step-input.ts";
import type { LogEntry } from "../contract/session.ts";
import { agentPattern, channelPattern } from "../contract/session-values.ts";
import { AgentEntries } from "../engine/session-entries.ts";
import { eventOf } from "./agent-notes.ts";
import { asksForChanges } from "./merge-results.ts";
import {
  failureReason,
  outputText,
  permissionText,
  waitText,
  signalText,
  type CompletedEvent,
  type WaitEvent,
} from "./session-words.ts";
import { scriptText } from "./script-text.ts";
import { isForAgent, type AgentSignal } from "./signal-rules.ts";

type PhaseEntry = Extract<LogEntry, { kind: "phase" }>;
type Line<Type extends JournalLine["type"]> = Extract<JournalLine, { type: Type }>;

/** How a run's session stands by what its journal says. */
export type SessionStanding =
  | { status: "active" }
  | { status: "paused" }
  | { status: "failed"; ended: string; error: string }
  | { status: "completed" | "abandoned"; ended: string };

/** The lines of which a session takes something; the others need not be kept for it. */
const projectedTypes = new Set<JournalLine["type"]>([
  "workflow.started",
  "workflow.step.started",
  "workflow.step.completed",
  "workflow.blocked",
  "workflow.merge_pending",
  "workflow.failed",
  "workflow.completed",
  "workflow.cancelled",
  "run.driven",
  "run.signal",
  "run.stopped",
  "step.warning",
  "agent.init",
  "agent.message",
  "agent.tool_call",
  "agent.tool_result",
  "agent.error",
  "agent.permission",
  "agent.permission_over",
  "step.note",
]);

export function isForSession({ type }: JournalLine): boolean {
  return projectedTypes.has(type);
}

/**
 * Makes a session's entries of a run's journal, line by line. What it knows begins anew with each phase, so that a
 * projection may begin at any event that opens one: the same lines always give the same entries.
 */
export class SessionEntries {
  readonly #runId: string;
  readonly #channelOf: (path: string) => string | undefined;
  #start: RunEvent | undefined;
  #hasPhase = false;
  /** The step at work, until its completion. */
  #step: (StepAddress & { input: StepInput | undefined }) | undefined;
  #agent = new AgentEntries();
  /** What runs the agent of the step at work. */
  #engine: string | undefined;
  #lastError: string | undefined;
  #question: string | undefined;
  /** What the agent at work waits for, by id. */
  readonly #requests = new Set<string>();
  /** The merge whose phase was opened by its review. */
  #reviewedMerge: string | undefined;
  standing: SessionStanding = { status: "active" };

  /** `channelOf` gives the channel of a step; without it, a phase is in the one of its session. */
  constructor(runId: string, channelOf: (path: string) => string | undefined = () => undefined) {
    this.#runId = runId;
    this.#channelOf = channelOf;
  }

  add(line: JournalLine): LogEntry[] {
    const entries = this.#entriesOf(line);
    if (entries.length === 0) return entries;
    const opens = entries.some(({ kind }) => kind === "phase");
    const isFirst = !this.#hasPhase && !opens && this.#start !== undefined;
    this.#hasPhase = true;
    return isFirst ? [phase("Start", this.#start!), ...entries] : entries;
  }

  #entriesOf(line: JournalLine): LogEntry[] {
    switch (line.type) {
      case "workflow.started":
        this.#start = line;
        return [];
      case "workflow.step.started":
        return this.#started(line);
      case "workflow.step.completed":
        return this.#completed(line);
      case "workflow.blocked":
      case "workflow.failed":
      case "workflow.merge_pending":
        return this.#waits(line);
      case "workflow.completed":
        this.standing = { status: "completed", ended: line.at };
        return [];
      case "workflow.cancelled":
        this.standing = { status: "abandoned", ended: line.at };
        return [];
      case "run.driven":
        return this.#interrupted();
      case "run.stopped":
        return [{ kind: "remark", text: `stopped by a person: ${line.reason}` }];
      case "run.signal":
        if (isForAgent(line.signal)) return agentSignalEntries(line.signal, line.refusal);
        return line.taken ? this.#signalled(line.signal) : [];
      case "step.warning":
        return [{ kind: "remark", text: `warning: ${line.message}` }];
      case "step.note":
        return [{ kind: "remark", text: line.message }];
      case "agent.permission":
        this.#requests.add(line.id);
        return [{ kind: "approval_required", id: line.id, text: permissionText(line) }];
      case "agent.permission_over":
        // One that was not answered in time is what the run waits for next, or void when the step has ended.
        return line.reason === "withdrawn" ? this.#void(line.id, "the engine took it back") : [];
      default:
        return this.#agentEntries(line);
    }
  }

  #agentEntries(line: JournalLine): LogEntry[] {
    if (line.type === "agent.init") this.#engine = line.engine;
    const event = eventOf(line);
    const entries = event ? this.#agent.add(event) : [];
    return entries.flatMap((entry) => (entry.kind === "error" ? this.#error(entry.text) : [entry]));
  }

  #started(line: Line<"workflow.step.started">): LogEntry[] {
    this.standing = { status: "active" };
    if (line.kind === "loop") return [];
    const interruption = this.#interrupted();
    const { path, attempt, input } = line;
    this.#step = { path, attempt, input };
    this.#agent = new AgentEntries();
    this.#engine = undefined;
    this.#lastError = this.#question = undefined;
    this.#requests.clear();
    // The phase of a merge was opened by the question whether it may be.
    if (this.#reviewedMerge === addressText(line)) return interruption;
    return [...interruption, this.#phaseOf(line, input?.kind === "agent" ? input.agent : undefined)];
  }

  #phaseOf(line: StepAddress & RunEvent, agent?: string): LogEntry {
    const { path, attempt } = line;
    this.#reviewedMerge = undefined;
    // A heading of that name is a person's.
    const name = /^summary$/i.test(path) ? `step ${path}` : path;
    const opened = phase(attempt === 1 ? name : `${name} (attempt ${attempt})`, line, agent);
    const channel = this.#channelOf(path);
    return channel !== undefined && channelPattern.test(channel) ? { ...opened, channel } : opened;
  }

  #completed(line: CompletedEvent): LogEntry[] {
    const { path, attempt, status } = line;
    // A person asked for changes: the words stand where they were said.
    if (asksForChanges(line)) {
      this.#step = undefined;
      return [];
    }
    if (this.#step?.path !== path || this.#step.attempt !== attempt) {
      if (status === "failed") return [{ kind: "remark", text: `${path} came to its last iteration without success` }];
      return status === "stopped" ? this.#stopped(line) : [];
    }
    const { input } = this.#step;
    if (line.permission) this.#requests.delete(line.permission.id);
    const entries = this.#closeStep(line);
    const tokens = line.usage ? line.usage.input_tokens + line.usage.output_tokens : 0;
    const { model } = this.#agent;
    const cost_usd = line.usage?.cost_usd;
    if (tokens > 0 || cost_usd) {
      const by = { ...(model !== undefined && { model }), ...(this.#engine !== undefined && { engine: this.#engine }) };
      entries.push({ kind: "tokens", tokens, ...by, ...(cost_usd !== undefined && { cost_usd }) });
    }
    if (status === "failed") entries.push(...this.#error(failureReason(line, input)));
    else if (status === "stopped") entries.push(...this.#stopped(line));
    else if (line.summary)
      entries.push({ kind: input?.kind === "agent" ? "task_complete" : "remark", text: line.summary });
    return entries;
  }

  /** What is known of a step that comes to its end, in whatever way. */
  #closeStep(completed: CompletedEvent | undefined): LogEntry[] {
    const calls = [...this.#requests].flatMap((id) => this.#void(id, "its agent is gone"));
    calls.push(...this.#agent.end());
    const input = this.#step?.input;
    this.#step = undefined;
    if (input?.kind !== "script") return calls;
    const result = completed && outputText(this.#runId, completed);
    const failed = completed?.status === "failed";
    return [{ kind: "tool", name: input.shell, args: scriptText(input), failed, ...(result && { result }) }];
  }

  /** The driver of the run went away in the middle of a step. */
  #interrupted(): LogEntry[] {
    if (!this.#step) return [];
    return [...this.#closeStep(undefined), { kind: "remark", text: "interrupted here; the step is done again" }];
  }

  /** Without an answer: what waits for a person says so, and is over. */
  #void(id: string, why: string): LogEntry[] {
    return this.#requests.delete(id) ? [{ kind: "answer", id, text: `void, nobody answered: ${why}` }] : [];
  }

  #stopped({ stopped, scope }: CompletedEvent): LogEntry[] {
    if (stopped !== "timeout") return [];
    return this.#error(`stopped: ${scope ? scope.path : "the run"} took longer than it may`);
  }

  /** An agent's last error is often why its step failed: once is enough. */
  #error(text: string): LogEntry[] {
    if (text === this.#lastError) return [];
    this.#lastError = text;
    return [{ kind: "error", text }];
  }

  #waits(line: WaitEvent): LogEntry[] {
    const request = line.blocked_reason === "permission" ? line.blocked_context?.permission : undefined;
    const id = request?.id ?? waitQuestionId(this.#runId, line.n);
    this.#question = id;
    // A run that failed is over as far as it knows; a person may still have it tried again.
    this.standing =
      line.type === "workflow.failed"
        ? { status: "failed", ended: line.at, error: `${line.path}: ${line.message}` }
        : { status: "paused" };
    // The agent has asked already, and the answer goes on with it.
    if (request) return [{ kind: "remark", text: waitText(line) }];
    if (line.type !== "workflow.merge_pending") return [{ kind: "decision_needed", id, text: waitText(line) }];
    const openedPhase = this.#phaseOf(line);
    this.#reviewedMerge = addressText(line);
    return [openedPhase, { kind: "approval_required", id, text: waitText(line) }];
  }

  #signalled(signal: Signal): LogEntry[] {
    if (signal.kind === "permission") return this.#answered(signal);
    const question = this.#question;
    this.#question = undefined;
    if (signal.kind !== "cancel") this.standing = { status: "active" };
    const words = signalText(signal);
    const answer: LogEntry[] = question === undefined ? [] : [{ kind: "answer", id: question, text: signal.kind }];
    if (words !== "") return [...answer, { kind: "user", text: words, action: signal.kind }];
    return question === undefined ? [{ kind: "user", text: signal.kind }] : answer;
  }

  #answered({ request, option }: Extract<Signal, { kind: "permission" }>): LogEntry[] {
    this.#requests.delete(request);
    this.#question = undefined;
    this.standing = { status: "active" };
    return [{ kind: "answer", id: request, text: wordOf(option) }];
  }
}

/** What a person did to the agent at work, or that it came too late. */
function agentSignalEntries(signal: AgentSignal, refusal: string | undefined): LogEntry[] {
  const action = signal.kind === "message" ? "message to the agent" : signal.kill ? "kill the agent" : "stop the agent";
  if (refusal !== undefined) return [{ kind: "remark", text: `not delivered: ${action}: ${refusal}` }];
  return signal.kind === "message" ? [{ kind: "user", text: signal.text, action }] : [{ kind: "user", text: action }];
}

function phase(title: string, { at, n: journal }: RunEvent, agent?: string): PhaseEntry {
  const isName = agent !== undefined && agentPattern.test(agent);
  return { kind: "phase", title, ...(isName && { agent }), opened: { at, journal } };
}
