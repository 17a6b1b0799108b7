import type { Json } from "../../contract/json.ts";
import type { Usage } from "../../contract/run.ts";
import type { EncodedText } from "./encoded-text.ts";

/** What a transcript on disk tells, in one form for all engines. */
export type TranscriptEvent =
  /** A person's message: it begins a phase. */
  | { type: "prompt"; text: string }
  /** What a person did in between, such as an interruption. */
  | { type: "user"; text: string }
  | { type: "message"; text: string }
  /** `startsNoAgent`: its result may say a subagent's name, and is not where that one began. */
  | { type: "tool_call"; id: string; name: string; input: Json; startsNoAgent?: boolean }
  | { type: "tool_result"; id: string; name?: string; output: string | EncodedText; failed: boolean }
  /** A plan that a person accepted. */
  | { type: "decision"; text: string }
  | { type: "error"; message: string }
  /** A subagent that has ended; `content` has its calls, a line each. */
  | { type: "subagent"; agent: string; summary: string; content: string }
  /** The engine shortened what the model sees. */
  | { type: "compacted"; text: string }
  /** What one message of a model used. The same id again replaces what was told before. */
  | ({ type: "usage"; message_id: string; model?: string } & Usage);

/** What a transcript tells of itself. The first word on each counts. */
export interface TranscriptAbout {
  /** The engine's id of the session. */
  session?: string;
  /** The engine session whose subagent this is. */
  parent?: string;
  /** The call that started this subagent. */
  call?: string;
  cwd?: string;
  branch?: string;
  agent?: string;
  title?: string;
}

/** What one line says. */
export interface TranscriptLine {
  /** ISO 8601. */
  at?: string;
  events: TranscriptEvent[];
  /** A figure of what was used cannot be true; it counts for nothing. */
  hasImpossibleCount?: boolean;
}

/**
 * Reads one transcript, line by line. Takes any bytes and never throws. `broken` is no JSON object; any other text names a kind of
 * line that this version does not know; undefined is a line that says nothing for a session.
 */
export interface TranscriptReader {
  readonly about: TranscriptAbout;
  read(line: Buffer): TranscriptLine | { problem: "broken" | { unknown: string } } | undefined;
}
