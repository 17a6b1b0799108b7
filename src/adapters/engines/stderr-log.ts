import { longestInlineBytes } from "../../contract/run-fields.ts";
import { assumeRedacted, type Redacted } from "../../contract/redacted.ts";
import { headOf } from "../../engine/cut.ts";
import type { Redactor } from "../../redact/redactor.ts";

/** What is kept of the end, which tells why a program ended. */
const keptTail = 2000;

interface StderrLog {
  push: (text: string) => void;
  end: () => void;
  tail: () => string;
}

/** What an engine writes to stderr: redacted, and no more than 64 KiB of it. */
export function createStderrLog(redactor: Redactor, tell: (text: Redacted<string>) => void): StderrLog {
  const stream = redactor.stream();
  let roomBytes = longestInlineBytes;
  let isFull = false;
  let tail = "";

  function keep(text: Redacted<string>): void {
    if (text === "") return;
    tail = (tail + text).slice(-keptTail);
    if (isFull) return;
    const head = headOf(text, roomBytes);
    roomBytes -= Buffer.byteLength(head);
    isFull = head.length < text.length;
    tell(assumeRedacted(isFull ? `${head}\n[cut here: no more is kept]` : head));
  }

  return { push: (text) => keep(stream.push(text)), end: () => keep(stream.end()), tail: () => tail };
}
