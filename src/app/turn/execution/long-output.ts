import { fromRedacted, type Redacted } from "../../../contract/redacted.ts";
import { headOf } from "../../../engine/cut.ts";

/** Longer outputs stand in a file beside the report. */
const maxReportBytes = 64 * 1024;
const maxTailChars = 16 * 1024;

/** As much of an output as the report has, and the whole where that is more. */
export function longOutput(output: Redacted<string>): { output: Redacted<string>; file?: Redacted<string> } {
  if (new TextEncoder().encode(output).length <= maxReportBytes) return { output };
  const short = fromRedacted(output, (text) => {
    const tail = text.slice(-maxTailChars).toWellFormed();
    const head = headOf(text, maxReportBytes - 3 * maxTailChars);
    return `${head}\n[${text.length - head.length - tail.length} characters are left out here]\n${tail}`;
  });
  return { output: short, file: output };
}
