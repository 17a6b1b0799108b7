import type { CliContext } from "../context.ts";
import type { Colors } from "./colors.ts";

/** What views of beads need of the terminal. */
export type Look = Pick<CliContext, "colors" | "width" | "nowMs">;

type Paint = (text: string) => string;

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
export function paintPriority(colors: Colors, priority: number): string {
  const text = `P${priority}`;
  if (priority === 0) return colors.red(text);
  return priority === 1 ? colors.yellow(text) : text;
}
