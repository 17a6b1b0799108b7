import type { EngineEvent } from "../../contract/engine.ts";
import type { TaskNote } from "../../contract/run-journal.ts";
import { createFold, type EngineState } from "../../engine/fold.ts";
import { createLines, longestLine } from "../../engine/lines.ts";
import { redactEvent, redactLine } from "./redact-event.ts";
import type { Redactor } from "../../redact/redactor.ts";
import { createAgentNotes } from "./agent-notes.ts";
import type { Engine } from "./engine.ts";
import type { Transcript } from "./transcript-files.ts";

interface ListenParts {
  engine: Engine;
  redactor: Redactor;
  transcript: Transcript;
  log: (note: TaskNote) => void;
  monotonicMs: () => number;
}

export interface Listener {
  push: (stdout: string) => void;
  end: () => void;
  state: () => EngineState;
}

/** Hears what one engine prints: raw into its transcript, as events into the run's log, folded for the step's result. */
export function listen({ engine, redactor, transcript, log, monotonicMs }: ListenParts): Listener {
  const { redact } = redactor;
  const reader = engine.reader();
  const fold = createFold();
  const notes = createAgentNotes(engine.name, monotonicMs);

  function take(event: EngineEvent): void {
    const clean = redactEvent(event, redact);
    fold.add(clean);
    notes(clean).forEach(log);
    const usage = clean.type === "usage" ? fold.state().usage : undefined;
    if (usage) log({ type: "agent.usage", ...usage });
  }

  const lines = createLines({
    onLine(raw) {
      const line = redactLine(raw, redact);
      transcript.append(line);
      reader.push(line).forEach(take);
    },
    onTooLong: () =>
      take({ type: "error", message: `it printed a line of more than ${longestLine} characters, which is not kept` }),
  });

  return {
    push: lines.push,
    end() {
      lines.end();
      reader.end().forEach(take);
    },
    state: fold.state,
  };
}
