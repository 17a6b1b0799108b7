import { asAgentName } from "../contract/session-values.ts";
import type { EngineEvent, ToolCallEvent } from "../contract/engine.ts";
import type { LogEntry } from "../contract/session.ts";
import { fieldsOf, textOf } from "./read-fields.ts";
import { AgentEntries, asModel } from "./session-entries.ts";
import { UsageCount } from "./usage-count.ts";

/** Something that is to be written: into the session of an agent (`by` undefined) or of the subagent that a call started. */
export type AgentWrite =
  | { kind: "entry"; by: string | undefined; entry: LogEntry }
  | { kind: "started"; subagent: Subagent }
  /** `isCutOff`: its agent came to an end, and nothing told that it was done. */
  | { kind: "ended"; subagent: Subagent; summary: string | undefined; isCutOff: boolean };

/** An agent that works for another one. */
export interface Subagent {
  /** The call that started it. */
  call: string;
  /** The call that started the agent which made this call; undefined for the session's own agent. */
  by: string | undefined;
  agent: string;
  /** What it is asked for, in a line. */
  title: string | undefined;
}

interface Speaker {
  entries: AgentEntries;
  /** Undefined for the session's own agent. */
  subagent: Subagent | undefined;
  /** Tokens that no entry tells of yet. */
  uncounted: number;
  /** The model of its messages, where the engine tells. */
  model: string | undefined;
  lastText: string | undefined;
  isOver: boolean;
}

/**
 * Makes of one agent's events what its session and those of its subagents gain. Tokens are counted where they were used, each once: when a
 * call has its result, at a result, and in the end. The same events always give the same writes.
 */
export class AgentRecording {
  readonly #own: Speaker = newSpeaker(undefined);
  /** Subagents by the call that started them. */
  readonly #subagents = new Map<string, Speaker>();
  /** Who made each call, and what it asks; kept for good: subagents come later. */
  readonly #calls = new Map<string, ToolCallEvent>();
  readonly #count = new UsageCount();
  #total = 0;

  /** The model that the session's own agent works with. */
  get model(): string | undefined {
    return this.#own.entries.model;
  }

  add(event: EngineEvent): AgentWrite[] {
    const parent = "parent" in event ? event.parent : undefined;
    if (event.type === "usage") return this.#addUsage(event, parent);
    const [speaker, begun] = this.#speaker(parent);
    if (event.type === "tool_call") this.#calls.set(event.id, event);
    if (event.type === "message" && event.text.trim() !== "") speaker.lastText = event.text;
    const ended = event.type === "tool_result" ? this.#endOf(event.id, event.output) : [];
    const written = speaker.isOver ? [] : this.#entriesOf(speaker, speaker.entries.add(event));
    if (event.type === "tool_result") written.push(...this.#tokensOf(speaker));
    if (event.type === "result") written.push(...this.#tokensOf(this.#own));
    return [...begun, ...ended, ...written];
  }

  /** The agent is gone: calls that never got a result, subagents that were at work, and what was used. */
  end(): AgentWrite[] {
    const open = [...this.#subagents.values()].filter(({ isOver }) => !isOver);
    return [
      // The innermost first: who worked for another one ends before it.
      ...open.toReversed().flatMap((speaker) => this.#close(speaker, speaker.lastText, true)),
      ...this.#entriesOf(this.#own, this.#own.entries.end()),
      ...this.#tokensOf(this.#own),
    ];
  }

  #addUsage(event: EngineEvent & { type: "usage" }, parent: string | undefined): AgentWrite[] {
    this.#count.add(event);
    const usage = this.#count.usage();
    const total = usage ? usage.input_tokens + usage.output_tokens : 0;
    const [speaker, begun] = this.#speaker(parent);
    speaker.model = event.model ?? speaker.model;
    // What comes late belongs to who is still there.
    (speaker.isOver ? this.#own : speaker).uncounted += total - this.#total;
    this.#total = total;
    return begun;
  }

  /** Who a word or call is of; a subagent begins with its first. */
  #speaker(parent: string | undefined): [Speaker, AgentWrite[]] {
    if (parent === undefined) return [this.#own, []];
    const known = this.#subagents.get(parent);
    if (known) return [known, []];
    const call = this.#calls.get(parent);
    const subagent = subagentOf(parent, call);
    const speaker = newSpeaker(subagent);
    this.#subagents.set(parent, speaker);
    return [speaker, [{ kind: "started", subagent }]];
  }

  /** Where a call's result is what its subagent came to. One that works in the background goes on. */
  #endOf(call: string, output: string): AgentWrite[] {
    const speaker = this.#subagents.get(call);
    const { input } = this.#calls.get(call) ?? {};
    if (!speaker || speaker.isOver || output === "" || fieldsOf(input).run_in_background === true) return [];
    return this.#close(speaker, output, false);
  }

  #close(speaker: Speaker, summary: string | undefined, isCutOff: boolean): AgentWrite[] {
    const left = [...this.#entriesOf(speaker, speaker.entries.end()), ...this.#tokensOf(speaker)];
    speaker.isOver = true;
    return [...left, { kind: "ended", subagent: speaker.subagent!, summary, isCutOff }];
  }

  #entriesOf({ subagent }: Speaker, entries: LogEntry[]): AgentWrite[] {
    return entries.map((entry) => ({ kind: "entry", by: subagent?.call, entry }));
  }

  #tokensOf(speaker: Speaker): AgentWrite[] {
    const { uncounted: tokens, subagent } = speaker;
    if (tokens <= 0) return [];
    speaker.uncounted = 0;
    const model = subagent ? asModel(speaker.model) : this.model;
    return this.#entriesOf(speaker, [{ kind: "tokens", tokens, ...(model !== undefined && { model }) }]);
  }
}

function newSpeaker(subagent: Subagent | undefined): Speaker {
  return { entries: new AgentEntries(), subagent, uncounted: 0, model: undefined, lastText: undefined, isOver: false };
}

const maxTitle = 80;

function subagentOf(call: string, { input, parent }: Partial<ToolCallEvent> = {}): Subagent {
  const { subagent_type: type, description, prompt } = fieldsOf(input);
  const about = (textOf(description) ?? textOf(prompt))?.trim().split("\n", 1)[0]?.trim();
  return {
    call,
    by: parent,
    agent: asAgentName(textOf(type) ?? "") ?? "subagent",
    title: about === undefined || about === "" ? undefined : Array.from(about).slice(0, maxTitle).join(""),
  };
}
