import type { EngineEvent } from "../../contract/engine.ts";
import type { Redacted } from "../../contract/redacted.ts";
import { createLines, longestLine } from "../../engine/lines.ts";
import type { Redactor } from "../../redact/redactor.ts";
import type { Engine } from "./engine.ts";
import { redactEvent, redactLine } from "./redact-event.ts";
import type { Transcript } from "./transcript-files.ts";

interface ListenParts {
  engine: Engine;
  redactor: Redactor;
  transcript: Transcript;
  /** Gets each event, redacted, with its line as the engine printed it. */
  onEvent: (event: Redacted<EngineEvent>, line: string) => void;
}

export interface Listener {
  push: (stdout: string) => void;
  end: () => void;
}

/** Reads the output of one engine: each line is written into its transcript, then read. */
export function listen({ engine, redactor, transcript, onEvent }: ListenParts): Listener {
  const { redact } = redactor;
  const reader = engine.reader();
  const take = (events: EngineEvent[], line: string): void =>
    events.forEach((event) => onEvent(redactEvent(event, redact), line));

  const lines = createLines({
    onLine(raw) {
      const line = redactLine(raw, redact);
      transcript.append(line);
      take(reader.push(line), raw);
    },
    onTooLong() {
      const message = `it printed a line of more than ${longestLine} characters, which is not kept`;
      take([{ type: "error", message }], "");
    },
  });

  return {
    push: lines.push,
    end() {
      lines.end();
      take(reader.end(), "");
    },
  };
}
