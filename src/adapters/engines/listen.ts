import type { EngineEvent } from "../../contract/engine.ts";
import type { Redacted } from "../../contract/redacted.ts";
import type { Conversation } from "../../engine/conversation.ts";
import { createLines } from "../../engine/lines.ts";
import type { Redactor } from "../../redact/redactor.ts";
import { redactEvent, redactLine } from "./redact-event.ts";
import type { Transcript } from "./transcript-files.ts";

interface ListenParts {
  conversation: Conversation;
  redactor: Redactor;
  transcript: Transcript;
  /** Gets each event, redacted. */
  onEvent: (event: Redacted<EngineEvent>) => void;
}

export interface Listener {
  push: (stdout: string) => void;
  end: () => void;
}

/** Reads the output of one engine: what it prints is written into its transcript, then read. */
export function listen({ conversation, redactor, transcript, onEvent }: ListenParts): Listener {
  const { redact } = redactor;
  /** What was printed and is not in the transcript yet; its lines are read once it is. */
  let unwritten: Redacted<string>[] = [];
  let unread: (() => EngineEvent[])[] = [];
  let oversized = redactor.stream();
  const lineEnd = redact("\n");

  const lines = createLines({
    onLine(line) {
      unwritten.push(redactLine(line, redact), lineEnd);
      unread.push(() => conversation.read(line));
    },
    onPiece: (piece) => void unwritten.push(oversized.push(piece)),
    onOversized(chars) {
      unwritten.push(oversized.end(), lineEnd);
      oversized = redactor.stream();
      unread.push(() => [{ type: "oversized", chars }]);
    },
  });

  function take(events: EngineEvent[]): void {
    for (const event of events) onEvent(redactEvent(event, redact));
  }

  function catchUp(): void {
    const [texts, reads] = [unwritten, unread];
    unwritten = [];
    unread = [];
    if (texts.length > 0) transcript.append(texts);
    for (const read of reads) take(read());
  }

  return {
    push(stdout) {
      lines.push(stdout);
      catchUp();
    },
    end() {
      lines.end();
      catchUp();
      take(conversation.end());
    },
  };
}
