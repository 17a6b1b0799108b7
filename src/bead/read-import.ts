import type { Bead } from "../contract/bead.ts";
import { beadIdPattern } from "./bead-id.ts";

export interface ImportRead {
  beads: Bead[];
  /** Lines that are other records than beads. */
  passedOver: number;
  /** All that is wrong, in order. */
  errors: { line: number; reason: string }[];
}

/** Beads as JSON lines, from outside: every line is checked, and all errors are told at once. */
export function readImport(text: string): ImportRead {
  const read: ImportRead = { beads: [], passedOver: 0, errors: [] };
  text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .forEach((line, at) => {
      if (line.trim() === "") return;
      const found = readLine(line);
      if (typeof found === "string") read.errors.push({ line: at + 1, reason: found });
      else if (found) read.beads.push(found);
      else read.passedOver++;
    });
  return read;
}

/** The bead of a line, nothing for another record, or what is wrong. */
function readLine(line: string): Bead | undefined | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return `not JSON: ${(error as Error).message}`;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "not a JSON object";
  const bead = value as Record<string, unknown>;
  if (bead["_type"] !== undefined && bead["_type"] !== "issue") return undefined;
  if (typeof bead["id"] !== "string" || !beadIdPattern.test(bead["id"])) return "id is missing or no id of a bead";
  if (bead["status"] !== "tombstone" && (typeof bead["title"] !== "string" || bead["title"].trim() === "")) {
    return "title is missing";
  }
  return wrongField(bead) ?? (bead as Bead);
}

const shapes: [name: string, isRight: (value: unknown) => boolean, form: string][] = [
  ["status", (value) => typeof value === "string", "a text"],
  ["issue_type", (value) => typeof value === "string", "a text"],
  ["priority", (value) => Number.isInteger(value), "a whole number"],
  ["labels", (value) => isListOf(value, (each) => typeof each === "string"), "a list of texts"],
  ["dependencies", (value) => isListOf(value, isDependency), "a list of objects with depends_on_id"],
  ["comments", (value) => isListOf(value, (each) => typeof each === "object"), "a list of objects"],
  ["created_at", isTime, "a time"],
  ["updated_at", isTime, "a time"],
  ["closed_at", isTime, "a time"],
  ["defer_until", isTime, "a time"],
  ["due_at", isTime, "a time"],
];

function wrongField(bead: Record<string, unknown>): string | undefined {
  const wrong = shapes.find(([name, isRight]) => bead[name] != null && !isRight(bead[name]));
  return wrong && `${wrong[0]} must be ${wrong[2]}`;
}

function isListOf(value: unknown, isRight: (each: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isRight);
}

function isDependency(value: unknown): boolean {
  return typeof (value as { depends_on_id?: unknown } | null)?.depends_on_id === "string";
}

function isTime(value: unknown): boolean {
  return typeof value === "string" && !Number.isNaN(Date.parse(value));
}
