import {
  dependenciesOf,
  dependencyType,
  labelsOf,
  priorityOf,
  beadStatusOf,
  beadTypeOf,
  type Bead,
} from "../../contract/bead.ts";
import type { Json } from "../../contract/grimoire.ts";
import { programFields } from "./program-arguments.ts";

/** A program may round a time. */
const sameTimeMs = 60_000;
const times = new Set(["due_at", "defer_until"]);

/** The names of fields that were to change and are not as expected. The form of a value does not matter. */
export function unchangedFields(actual: Bead, before: Bead, expected: Bead): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(expected)]);
  return [...names].filter((name) => {
    if (programFields.has(name) || comparableForm(before, name) === comparableForm(expected, name)) return false;
    // The program writes a reason of its own for a bead that is closed without one.
    if (name === "close_reason" && expected.close_reason === undefined) return false;
    return !isSame(name, actual, expected);
  });
}

function isSame(name: string, actual: Bead, expected: Bead): boolean {
  if (comparableForm(actual, name) === comparableForm(expected, name)) return true;
  if (!times.has(name)) return false;
  return Math.abs(Date.parse(comparableForm(actual, name)) - Date.parse(comparableForm(expected, name))) < sameTimeMs;
}

function comparableForm(bead: Bead, name: string): string {
  if (name === "status") return beadStatusOf(bead);
  if (name === "priority") return String(priorityOf(bead));
  if (name === "issue_type") return beadTypeOf(bead);
  if (name === "labels") return JSON.stringify(labelsOf(bead).toSorted());
  if (name === "dependencies") {
    const keys = dependenciesOf(bead).map((each) => `${dependencyType(each)}:${each.depends_on_id}`);
    return JSON.stringify(keys.toSorted());
  }
  return plainText(bead[name]);
}

/** An empty text is no text; line ends and blanks around it do not matter. */
function plainText(value: Json | undefined): string {
  return typeof value === "string" ? value.replaceAll("\r\n", "\n").trim() : value == null ? "" : JSON.stringify(value);
}
