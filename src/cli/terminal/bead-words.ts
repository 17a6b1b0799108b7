import type { Colors, Paint } from "./colors.ts";
import type { Cell } from "./table.ts";

const statusStyles: Record<string, { sign?: string; color?: Exclude<keyof Colors, "enabled"> }> = {
  open: { sign: "○" },
  in_progress: { sign: "◐", color: "cyan" },
  hooked: { sign: "◐", color: "cyan" },
  blocked: { sign: "✗", color: "red" },
  deferred: { sign: "…", color: "dim" },
  pinned: { sign: "◆", color: "yellow" },
  template: { color: "dim" },
  waits: { color: "yellow" },
  closed: { sign: "✓", color: "green" },
};

/** A status that Clew does not know has a colour of its own. */
function statusStyle(colors: Colors, status: string): { sign: string; paint: Paint } {
  const { sign = "?", color } = Object.hasOwn(statusStyles, status)
    ? statusStyles[status]!
    : { color: "magenta" as const };
  return { sign, paint: color === undefined ? (text) => text : colors[color] };
}

export function paintBeadStatus(colors: Colors, status: string): string {
  return statusStyle(colors, status).paint(status);
}

export function beadStatusCell(colors: Colors, status: string): Cell {
  return { text: status, paint: statusStyle(colors, status).paint };
}

export function statusSign(colors: Colors, status: string): string {
  const { sign, paint } = statusStyle(colors, status);
  return paint(sign);
}

/** The two most urgent catch the eye. */
export function priorityCell(colors: Colors, priority: number): Exclude<Cell, string> {
  const paint = priority === 0 ? colors.red : priority === 1 ? colors.yellow : (text: string): string => text;
  return { text: `P${priority}`, paint };
}

export function paintPriority(colors: Colors, priority: number): string {
  const { text, paint } = priorityCell(colors, priority);
  return paint(text);
}
