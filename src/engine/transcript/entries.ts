import type { Usage } from "../../contract/run.ts";
import type { LogEntry, SubagentEntry, ToolEntry } from "../../contract/session.ts";
import { asAgentName } from "../../contract/session-values.ts";
import { callArgs } from "../../text/tool-call.ts";
import type { PriceTable } from "../prices.ts";
import { EncodedText } from "./encoded-text.ts";
import type { TranscriptEvent } from "./event.ts";

/** A call that was written without its result, and the same with it. */
export interface CompletedCall {
  kind: "completed";
  before: ToolEntry;
  after: ToolEntry;
}

/** A call with a result that is long, and not decoded yet; `call` has its beginning. */
export interface EncodedCall {
  kind: "encoded";
  call: ToolEntry;
  result: EncodedText;
}

export type TranscriptEntry = LogEntry | CompletedCall | EncodedCall;

interface Parts {
  /** Whether this transcript counts the message: one that was copied into several counts once. */
  counts: (messageId: string) => boolean;
  prices: PriceTable;
  /** Agents that work for this one, by the call that started them, or by the engine's name of their session. */
  subagents: Map<string, SubagentEntry>;
  /** The name of the agent, and what a message makes of a phase's title. */
  agent: string;
  titleOf: (prompt: string) => string;
}

interface Call {
  entry: ToolEntry;
  startsNoAgent: boolean;
  /** It stands in the session without a result. */
  isWritten: boolean;
}

interface Message {
  model: string | undefined;
  latest: Usage;
  counted: Usage | undefined;
}

/** Makes a session's entries of what a transcript tells. The same events always give the same entries. */
export class TranscriptEntries {
  readonly #parts: Parts;
  readonly #calls = new Map<string, Call>();
  /** What this transcript's messages used; `#uncounted` are those whose figures are news. */
  readonly #messages = new Map<string, Message>();
  readonly #uncounted = new Set<Message>();
  readonly #messagesOfOthers = new Set<string>();
  /** What the agent said last. */
  lastText: string | undefined;
  model: string | undefined;
  tokens = 0;
  /** Dollars; undefined once a price is not known. */
  costUsd: number | undefined = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  add(event: TranscriptEvent): TranscriptEntry[] {
    switch (event.type) {
      case "prompt":
        return [
          ...this.#countTokens(),
          { kind: "phase", title: this.#parts.titleOf(event.text), agent: this.#parts.agent },
          { kind: "user", text: event.text },
        ];
      case "user":
        return [{ kind: "user", text: event.text }];
      case "message":
        if (event.text.trim() === "") return [];
        this.lastText = event.text;
        return [{ kind: "text", text: event.text }];
      case "compacted":
        return [{ kind: "remark", about: "compacted", text: event.text }];
      case "decision":
        return [{ kind: "decision", text: event.text }];
      case "error":
        return [{ kind: "error", text: event.message }];
      case "subagent":
        return [inlineSubagent(event)];
      case "tool_call":
        this.#calls.set(event.id, callOf(event, false));
        return [];
      case "tool_result":
        return this.#result(event);
      case "usage":
        this.#use(event);
        return [];
    }
  }

  /** What an earlier import wrote: it gives no entry and takes no subagent, but what follows it is understood. */
  replay(event: TranscriptEvent): void {
    if (event.type === "tool_result") this.#calls.delete(event.id);
    else this.add(event);
  }

  /** What the session has from elsewhere, where it was counted, too: it gives no entry, but a late result finds its call. */
  skip(event: TranscriptEvent): void {
    if (event.type === "tool_call") this.#calls.set(event.id, callOf(event, true));
    else if (event.type === "tool_result") this.#calls.delete(event.id);
    else if (event.type === "usage" && !this.#messages.has(event.message_id)) {
      this.#parts.counts(event.message_id);
      this.#messagesOfOthers.add(event.message_id);
    }
  }

  #result({ id, name, output, failed }: Extract<TranscriptEvent, { type: "tool_result" }>): TranscriptEntry[] {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    const before = call?.entry ?? { kind: "tool" as const, name: asWord(name ?? ""), args: "", failed: false };
    const subagent = this.#takeSubagent(id, call, output);
    const after =
      output instanceof EncodedText && !call?.isWritten
        ? { kind: "encoded" as const, call: callWith(before, output.head, failed), result: output }
        : callWith(before, textOf(output), failed);
    return [
      after.kind === "tool" && call?.isWritten ? { kind: "completed", before, after } : after,
      ...(subagent ? [subagent] : []),
    ];
  }

  /** The subagent that a call started: known by the call, or by its engine session that the result names. */
  #takeSubagent(id: string, call: Call | undefined, output: string | EncodedText): SubagentEntry | undefined {
    const { subagents } = this.#parts;
    if (subagents.size === 0) return undefined;
    const key = subagents.has(id) ? id : call && !call.startsNoAgent ? nameIn(output, subagents.keys()) : undefined;
    const subagent = key === undefined ? undefined : subagents.get(key);
    if (key !== undefined) subagents.delete(key);
    return subagent;
  }

  #use({ type: _, message_id: id, model, ...usage }: Extract<TranscriptEvent, { type: "usage" }>): void {
    this.model = model ?? this.model;
    let message = this.#messages.get(id);
    if (!message) {
      if (this.#messagesOfOthers.has(id)) return;
      if (!this.#parts.counts(id)) return void this.#messagesOfOthers.add(id);
      message = { model, latest: usage, counted: undefined };
      this.#messages.set(id, message);
    }
    message.latest = usage;
    this.#uncounted.add(message);
  }

  /** One entry for each model that was used since the last count. */
  #countTokens(): LogEntry[] {
    const byModel = new Map<string | undefined, number>();
    for (const message of this.#uncounted) {
      const { model, latest, counted } = message;
      const tokens = tokensOf(latest) - tokensOf(counted);
      byModel.set(model, (byModel.get(model) ?? 0) + tokens);
      this.#addCost(this.#cost(model, latest), counted === undefined ? 0 : this.#cost(model, counted));
      message.counted = latest;
    }
    this.#uncounted.clear();
    const counts = [...byModel].filter(([, tokens]) => tokens > 0);
    for (const [, tokens] of counts) this.tokens += tokens;
    return counts.map(([model, tokens]) => ({ kind: "tokens", tokens, ...(isWord(model) && { model }) }));
  }

  #cost(model: string | undefined, usage: Usage): number | undefined {
    return usage.cost_usd ?? (model === undefined ? undefined : this.#parts.prices(model)?.(usage));
  }

  #addCost(cost: number | undefined, before: number | undefined): void {
    const isKnown = this.costUsd !== undefined && cost !== undefined && before !== undefined;
    this.costUsd = isKnown ? this.costUsd! + cost - before : undefined;
  }

  /** The transcript goes no further for now: calls without a result, and what was used. */
  settle(): LogEntry[] {
    const entries: LogEntry[] = [];
    for (const call of this.#calls.values()) {
      if (!call.isWritten) entries.push(call.entry);
      call.isWritten = true;
    }
    return [...entries, ...this.#countTokens()];
  }

  /** Subagents whose call did not come. */
  otherSubagents(): LogEntry[] {
    const entries = [...this.#parts.subagents.values()];
    this.#parts.subagents.clear();
    return entries;
  }
}

function inlineSubagent({ agent, summary, content }: Extract<TranscriptEvent, { type: "subagent" }>): SubagentEntry {
  const work = content === "" ? {} : { content };
  return { kind: "subagent", agent: asAgentName(agent) ?? "subagent", mode: "inline", summary, ...work };
}

function callOf(event: Extract<TranscriptEvent, { type: "tool_call" }>, isWritten: boolean): Call {
  const { name, input, startsNoAgent = false } = event;
  return {
    entry: { kind: "tool", name: asWord(name), args: callArgs(input), failed: false },
    startsNoAgent,
    isWritten,
  };
}

/** The first of the names that a result says. */
function nameIn(output: string | EncodedText, names: Iterable<string>): string | undefined {
  const text = textOf(output);
  return [...names].find((name) => text.includes(name));
}

function callWith({ kind, name, args }: ToolEntry, result: string, failed: boolean): ToolEntry {
  return result === "" ? { kind, name, args, failed } : { kind, name, args, result, failed };
}

function textOf(output: string | EncodedText): string {
  return typeof output === "string" ? output : output.decode();
}

function tokensOf(usage: Usage | undefined): number {
  return usage === undefined ? 0 : usage.input_tokens + usage.output_tokens;
}

function isWord(model: string | undefined): model is string {
  return model !== undefined && /^[^\s()]+$/u.test(model);
}

/** Names of tools have no spaces. */
function asWord(name: string): string {
  return name.replace(/\s+/g, "-").slice(0, 100) || "tool";
}
