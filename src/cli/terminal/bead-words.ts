import type { Colors, Paint } from "./colors.ts";
import type { Cell } from "./table.ts";

const statusStyles: Record<string, { mark?: string; color?: Exclude<keyof Colors, "enabled"> }> = {
  open: { mark: "○" },
  in_progress: { mark: "◐", color: "cyan" },
  hooked: { mark: "◐", color: "cyan" },
  blocked: { mark: "✗", color: "red" },
  deferred: { mark: "…", color: "dim" },
  pinned: { mark: "◆", color: "yellow" },
  template: { color: "dim" },
  waits: { color: "yellow" },
  closed: { mark: "✓", color: "green" },
};

/** A status that Clew does not know has a colour of its own. */
function statusStyle(colors: Colors, status: string): { mark: string; paint: Paint } {
  const { mark = "?", color } = Object.hasOwn(statusStyles, status)
    ? statusStyles[status]!
    : { color: "magenta" as const };
  return { mark, paint: color === undefined ? (text) => text : colors[color] };
}

export function paintBeadStatus(colors: Colors, status: string): string {
  return statusStyle(colors, status).paint(status);
}

export function beadStatusCell(colors: Colors, status: string): Cell {
  return { text: status, paint: statusStyle(colors, status).paint };
}

export function statusMark(colors: Colors, status: string): string {
  const { mark, paint } = statusStyle(colors, status);
  return paint(mark);
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
