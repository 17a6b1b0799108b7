import { randomUUID } from "node:crypto";
import { nameMcpTool, translateTool } from "./tools.ts";
import type { Conversation, Turn, Usage } from "./script.ts";

/** A turn in the engine's own tool names, ready for any wire. */
export interface Answer {
  readonly id: string;
  readonly think?: string;
  /** At least one block, or none at all. */
  readonly says: readonly string[];
  readonly stop?: Turn["stop"];
  readonly calls: readonly Call[];
  readonly usage: Usage;
}

export interface Call {
  readonly id: string;
  readonly name: string;
  readonly namespace?: string;
  /** A text is the input of a free-form tool. */
  readonly input: Record<string, unknown> | string;
}

export interface SseEvent {
  readonly event?: string;
  readonly data: unknown;
}

const modestUsage: Usage = { input: 100, output: 20, cached: 0 };

export function answerOf(turn: Turn, { tools: offered, news }: Pick<Conversation, "tools" | "news">): Answer {
  const calls = [
    ...(turn.tool ? [translateTool(turn.tool, offered)] : []),
    ...(turn.mcp ? [nameMcpTool(turn.mcp, offered, news)] : []),
  ].map((call) => ({ id: newId("call"), ...call }));
  const says = turn.say ?? (calls.length === 0 && turn.think === undefined ? "Done." : []);
  return {
    id: newId("msg"),
    ...(turn.think !== undefined && { think: turn.think }),
    says: [says].flat(),
    ...(turn.stop !== undefined && { stop: turn.stop }),
    calls,
    usage: turn.usage ?? modestUsage,
  };
}

/** Ids are never the same twice, so that a resumed session does not meet an old one. */
export function newId(prefix: string): string {
  return `${prefix}_${randomUUID().replaceAll("-", "").slice(0, 24)}`;
}

/** Text comes in pieces, as it does from a model. */
export function pieces(text: string): string[] {
  return text.match(/[\s\S]{1,12}/gu) ?? [];
}
