import { fromRedacted, type Redact, type Redacted } from "../../contract/redacted.ts";
import { bytesOf } from "../shell/byte-decoder.ts";
import { redactLine } from "./redact-event.ts";

/**
 * A line as transcripts keep it, redacted. One with bytes that are no UTF-8 stands there as `{"clew_base64": "…"}`, so that the
 * file is text and no byte is lost.
 */
export function transcriptLine(line: string, redact: Redact): Redacted<string> {
  const end = line.endsWith("\r") ? "\r" : "";
  const redacted = redactLine(end === "" ? line : line.slice(0, -1), redact);
  return fromRedacted(redacted, (text) =>
    text.isWellFormed() ? text + end : JSON.stringify({ clew_base64: bytesOf(text + end).toString("base64") }),
  );
}
