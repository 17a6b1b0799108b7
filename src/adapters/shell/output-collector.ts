import { longestInlineBytes } from "../../contract/run-fields.ts";
import { fromRedacted, type Redacted } from "../../contract/redacted.ts";
import { headOf } from "../../engine/cut.ts";
import type { Redactor } from "../../redact/redactor.ts";

/** One stream of a script, redacted: its beginning goes to the log at once, the whole into the result. */
export interface OutputCollector {
  push(text: string): void;
  /** Returns all of it. */
  end(): string;
  /** Nothing more is logged. */
  cancel(): void;
}

/** Whole lines are logged after this time, without waiting for more output. */
const settleMs = 150;

/** Calls `onText` as soon as the text is sure to have no secret, up to what a log line may hold in all. */
export function collectOutput(redactor: Redactor, onText: (text: Redacted<string>) => void): OutputCollector {
  const redacted = redactor.stream();
  const parts: string[] = [];
  let roomBytes = longestInlineBytes;
  let pause: NodeJS.Timeout | undefined;
  let fault: { error: unknown } | undefined;

  function keep(text: Redacted<string>): void {
    if (text === "") return;
    parts.push(text);
    const beginning = fromRedacted(text, (whole) => (roomBytes > 0 ? headOf(whole, roomBytes) : ""));
    roomBytes -= Buffer.byteLength(text);
    if (beginning !== "") onText(beginning);
  }

  /** Runs in a timer, so that the next call throws its error. */
  function settle(): void {
    pause = undefined;
    try {
      keep(redacted.settle());
    } catch (error) {
      fault = { error };
    }
  }

  function refuseFaulty(): void {
    if (fault) throw fault.error;
  }

  return {
    push(text) {
      refuseFaulty();
      keep(redacted.push(text));
      pause ??= setTimeout(settle, settleMs);
    },
    end() {
      clearTimeout(pause);
      refuseFaulty();
      keep(redacted.end());
      return parts.join("");
    },
    cancel: () => clearTimeout(pause),
  };
}
