import type { Json } from "../../contract/json.ts";
import { fieldsOf } from "../read-fields.ts";

/**
 * How a command ended. Claude tells it by the words of a failure, and by what it adds to a success; Qwen in the last lines of what
 * its tool gives, which no command can print.
 */
export function exitCodeOf(output: string, failed: boolean, details: Json | undefined): number | undefined {
  const qwens = /\nExit Code: (\d{1,3})\nSignal: \(none\)\nProcess Group PGID: [^\n]{1,40}$/.exec(output)?.[1];
  if (qwens !== undefined && output.startsWith("Command: ")) return Number(qwens);
  if (failed) {
    const code = /^(?:Error: )?Exit code (\d{1,3})(?:\n|$)/.exec(output)?.[1];
    return code === undefined ? undefined : Number(code);
  }
  const { stdout, interrupted, backgroundTaskId } = fieldsOf(details);
  const isOver = typeof stdout === "string" && interrupted === false && backgroundTaskId === undefined;
  return isOver ? 0 : undefined;
}
