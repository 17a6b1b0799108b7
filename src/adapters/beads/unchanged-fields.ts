import {
  dependenciesOf,
  dependencyType,
  labelsOf,
  priorityOf,
  statusOf,
  typeOf,
  type Bead,
} from "../../contract/bead.ts";
import type { Json } from "../../contract/grimoire.ts";
import { keptByProgram } from "./program-arguments.ts";

/** A program may round a time. */
const sameTimeMs = 60_000;
const times = new Set(["due_at", "defer_until"]);

/** The names of fields that were to change and are not as wanted. In another form, the same value counts as the same. */
export function unchangedFields(now: Bead, before: Bead, wanted: Bead): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(wanted)]);
  return [...names].filter((name) => {
    if (keptByProgram.has(name) || form(before, name) === form(wanted, name)) return false;
    // It has words of its own for a bead that is closed without a reason.
    if (name === "close_reason" && wanted.close_reason === undefined) return false;
    return !isSame(name, now, wanted);
  });
}

function isSame(name: string, now: Bead, wanted: Bead): boolean {
  if (form(now, name) === form(wanted, name)) return true;
  if (!times.has(name)) return false;
  return Math.abs(Date.parse(form(now, name)) - Date.parse(form(wanted, name))) < sameTimeMs;
}

function form(bead: Bead, name: string): string {
  if (name === "status") return statusOf(bead);
  if (name === "priority") return String(priorityOf(bead));
  if (name === "issue_type") return typeOf(bead);
  if (name === "labels") return JSON.stringify(labelsOf(bead).toSorted());
  if (name === "dependencies") {
    const keys = dependenciesOf(bead).map((each) => `${dependencyType(each)}:${each.depends_on_id}`);
    return JSON.stringify(keys.toSorted());
  }
  return plain(bead[name]);
}

/** An empty text is no text, and line ends and blanks around it are nobody's business. */
function plain(value: Json | undefined): string {
  return typeof value === "string" ? value.replaceAll("\r\n", "\n").trim() : value == null ? "" : JSON.stringify(value);
}
