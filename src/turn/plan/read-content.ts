import type { FenceBlock } from "./fence.ts";
import type { Findings } from "./findings.ts";
import { findMark } from "../../text/redaction-mark.ts";
import { refuseMark } from "./read-values.ts";

/** Reports each redaction mark in a fence at its line. */
export function refuseMarkIn(fence: FenceBlock, findings: Findings): void {
  // One look at the whole is faster than one at each line.
  if (!fence.content.join("\n").includes("[redacted:")) return;
  fence.content.forEach((line, index) => {
    const found = findMark(line);
    if (found) refuseMark(found.mark, { line: fence.line + 1 + index, offset: found.offset }, findings);
  });
}
