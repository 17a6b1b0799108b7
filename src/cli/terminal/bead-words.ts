import type { Colors, Paint } from "./colors.ts";
import type { Cell } from "./table.ts";

function paintOf(colors: Colors, status: string): Paint {
  const paints: Record<string, Paint> = {
    open: (text) => text,
    in_progress: colors.cyan,
    hooked: colors.cyan,
    blocked: colors.red,
    deferred: colors.dim,
    pinned: colors.yellow,
    template: colors.dim,
    waits: colors.yellow,
    closed: colors.green,
  };
  return Object.hasOwn(paints, status) ? paints[status]! : colors.magenta;
}

export function paintStatus(colors: Colors, status: string): string {
  return paintOf(colors, status)(status);
}

export function statusCell(colors: Colors, status: string): Cell {
  return { text: status, paint: paintOf(colors, status) };
}

const marks: Record<string, string> = {
  open: "○",
  in_progress: "◐",
  hooked: "◐",
  blocked: "✗",
  deferred: "…",
  pinned: "◆",
  closed: "✓",
};

export function statusMark(colors: Colors, status: string): string {
  return paintOf(colors, status)(Object.hasOwn(marks, status) ? marks[status]! : "?");
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
