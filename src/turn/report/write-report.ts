import type { Json } from "../../contract/json.ts";
import type { ExecutionReport, LoggedAction } from "../../contract/turn-report.ts";
import { yamlLines } from "./yaml-text.ts";

/** The report as YAML. The same report always gives the same text, and every string reads back as it was. */
export function writeReport(report: ExecutionReport): string {
  const { run_summary, action_log } = report;
  const fields = {
    format: report.format,
    run_summary: inOrder(run_summary, [
      "status",
      "turn",
      "plan_title",
      "agent",
      "started_at",
      "ended_at",
      "duration_ms",
      "counts",
      "plan_changed",
      "details",
      "memos",
    ]),
    action_log: action_log.map((action) => inOrder(action, actionKeys)),
  };
  const nested = {
    ...fields,
    run_summary: {
      ...fields.run_summary,
      counts: inOrder(run_summary.counts, ["success", "failure", "skipped", "denied"]),
      memos: {
        ...inOrder(run_summary.memos, ["answer", "by", "changes"]),
        changes: run_summary.memos.changes.map((change) => inOrder(change, ["change", "text", "ignored"])),
      },
    },
  };
  return `${yamlLines(nested, "").join("\n")}\n`;
}

const actionKeys = [
  "action",
  "type",
  "description",
  "status",
  "approval",
  "parameters",
  "details",
  "exit_code",
  "output",
  "output_file",
  "reply",
  "duration_ms",
] as const satisfies (keyof LoggedAction)[];

/** The fields that are there, in this order, whoever put them together. */
function inOrder<T extends object>(value: T, keys: readonly (keyof T & string)[]): { [key: string]: Json } {
  return Object.fromEntries(keys.filter((key) => value[key] !== undefined).map((key) => [key, value[key] as Json]));
}
