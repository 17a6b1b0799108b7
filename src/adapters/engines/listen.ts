import type { EngineEvent, PermissionEvent } from "../../contract/engine.ts";
import type { PolicyVerdict } from "../../app/policy/agent-policy.ts";
import { ofRedactedParts, type Redacted } from "../../contract/redacted.ts";
import type { Conversation } from "../../engine/conversation.ts";
import { createLines } from "../../engine/line-splitter.ts";
import type { Redactor } from "../../redact/redactor.ts";
import { redactEvent, redactEvents, redactLine } from "./redact-event.ts";
import { transcriptLine } from "./transcript-line.ts";
import type { Transcript } from "./transcript-files.ts";

interface ListenParts {
  conversation: Pick<Conversation, "read" | "end">;
  redactor: Redactor;
  transcript: Transcript;
  /** Whether the agent's level allows what an event asks for. */
  isWithinLevel: (event: PermissionEvent) => boolean;
  /** What the policy says of what an event asks for; undefined where no rule decides. */
  policyOn?: (event: PermissionEvent) => PolicyVerdict | undefined;
  /** Hears of each permission that is asked for, before it is redacted. */
  onAsked?: (event: PermissionEvent) => void;
  /** Gets each event, redacted, with the line of the transcript that it came from. */
  onEvent: (event: Redacted<EngineEvent>, line: number) => void;
}

/** JSON that is nested so deep that it cannot be walked is no event of any engine. */
function unlessTooDeep(read: () => Redacted<EngineEvent>[]): Redacted<EngineEvent>[] {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return tooDeep();
  }
}

function tooDeep(): Redacted<EngineEvent>[] {
  const message = "it printed a line that is nested too deep to be read; its transcript has it";
  return [ofRedactedParts({ type: "error", message })];
}

export interface Listener {
  push: (stdout: string) => void;
  end: () => void;
}

/** Reads the output of one engine: what it prints is written into its transcript, then read. */
export function listen({
  conversation,
  redactor,
  transcript,
  isWithinLevel,
  policyOn,
  onAsked,
  onEvent,
}: ListenParts): Listener {
  const { redact } = redactor;
  /** What was printed and is not in the transcript yet; its lines are read once it is. */
  let unwritten: Redacted<string>[] = [];
  let unread: { line: number; read: () => Redacted<EngineEvent>[] }[] = [];
  /** Lines in the transcript, those that are about to be written among them. */
  let lineCount = 0;
  let oversized = redactor.stream();
  const lineEnd = redact("\n");

  function judged(event: EngineEvent): EngineEvent {
    if (event.type !== "permission" || event.withdrawn) return event;
    onAsked?.(event);
    const verdict = policyOn?.(event);
    if (verdict?.decision === "deny") return { ...event, denied: verdict.reason };
    // What an engine allows for good it does not ask about again, and the rule is about each call.
    if (verdict?.decision === "ask")
      return { ...event, options: event.options.filter(({ kind }) => kind !== "allow_always") };
    return verdict || isWithinLevel(event) ? { ...event, within_level: true } : event;
  }

  function endLine(read: () => Redacted<EngineEvent>[]): void {
    unwritten.push(lineEnd);
    unread.push({ line: ++lineCount, read });
  }

  const lines = createLines({
    onLine(line) {
      const raw = (line.endsWith("\r") ? line.slice(0, -1) : line).toWellFormed();
      if (raw === "") {
        unwritten.push(transcriptLine(line, redact));
        return endLine(() => []);
      }
      try {
        const redacted = redactLine(raw, redact);
        unwritten.push(raw === line ? redacted : transcriptLine(line, redact));
        endLine(() => unlessTooDeep(() => redactEvents(conversation.read(raw).map(judged), { raw, redacted }, redact)));
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        unwritten.push(redact(line.toWellFormed()));
        endLine(tooDeep);
      }
    },
    onPiece: (piece) => void unwritten.push(oversized.push(piece)),
    onOversized(chars) {
      unwritten.push(oversized.end());
      oversized = redactor.stream();
      endLine(() => [ofRedactedParts({ type: "oversized", chars })]);
    },
  });

  function catchUp(): void {
    const [texts, reads] = [unwritten, unread];
    unwritten = [];
    unread = [];
    if (texts.length > 0) transcript.append(texts);
    for (const { line, read } of reads) for (const event of read()) onEvent(event, line);
  }

  return {
    push(stdout) {
      lines.push(stdout);
      catchUp();
    },
    end() {
      lines.end();
      catchUp();
      for (const event of conversation.end()) onEvent(redactEvent(event, redact), lineCount);
    },
  };
}
