import type { FieldChanges } from "../contract/api/bead-shapes.ts";
import { beadStatuses, beadTypes } from "../contract/bead.ts";
import { ClewError } from "../contract/errors.ts";
import { nearest } from "../text/nearest.ts";

const longestText = 1024 * 1024;
const longestTitle = 500;
const longestLine = 200;
const longestLabel = 100;
const mostLabels = 100;
const mostMinutes = 10_000_000;

const texts = ["description", "design", "acceptance_criteria", "notes"] as const;
const lines = ["assignee", "external_ref"] as const;

/** Refuses what does not belong into a bead, in words for the person who gave it. */
export function checkFields(fields: FieldChanges): void {
  if (fields.title !== undefined) checkTitle(fields.title);
  for (const name of texts) checkText(name, fields[name]);
  for (const name of lines) checkLine(name, fields[name]);
  if (fields.issue_type !== undefined) checkType(fields.issue_type);
  if (fields.priority !== undefined && !isWhole(fields.priority, 4)) {
    throw invalidInput(`the priority is ${fields.priority}`, "it is a number from 0, the most urgent, to 4");
  }
  if (fields.estimated_minutes != null && !isWhole(fields.estimated_minutes, mostMinutes)) {
    throw invalidInput(`the estimate is ${fields.estimated_minutes}`, "it is a whole number of minutes");
  }
}

function checkTitle(title: string): void {
  if (title.trim() === "") throw invalidInput("the title is empty", "say in a line what is to be done");
  const hint = "details go into the description: -d TEXT";
  if (hasControls(title)) throw invalidInput("the title is not one line of text", hint);
  const length = [...title].length;
  if (length > longestTitle) throw invalidInput(`the title has ${length} letters, more than ${longestTitle}`, hint);
}

export function checkText(name: string, text: string | null | undefined): void {
  if (text == null || text.length <= longestText) return;
  throw invalidInput(
    `${name} has ${text.length} letters, more than ${longestText}`,
    "name a file that holds it instead",
  );
}

function checkLine(name: string, text: string | null | undefined): void {
  if (text == null || (text.length <= longestLine && text.trim() !== "" && !hasControls(text))) return;
  throw invalidInput(`${name} is no line of 1 to ${longestLine} letters`, "give a shorter one");
}

/** Takes any type that a project may have, but refuses a misspelt one of the format. */
function checkType(type: string): void {
  if (type === "") throw invalidInput("the type is empty", `there are ${beadTypes.join(", ")}`);
  if (/^[a-z][a-z0-9_-]{0,49}$/.test(type)) return;
  const suggestion = nearest(type.toLowerCase(), beadTypes);
  throw invalidInput(
    `${type} is no type of beads`,
    suggestion === undefined
      ? `there are ${beadTypes.join(", ")}; others are small letters too`
      : `did you mean ${suggestion}?`,
  );
}

export function checkStatus(status: string): void {
  if (status === "") throw invalidInput("the status is empty", `there are ${beadStatuses.join(", ")}`);
  if ((beadStatuses as readonly string[]).includes(status)) return;
  const suggestion = nearest(status.toLowerCase().replaceAll("-", "_"), beadStatuses);
  throw invalidInput(
    `${status} is no status of beads`,
    suggestion === undefined ? `there are ${beadStatuses.join(", ")}` : `did you mean ${suggestion}?`,
  );
}

/** Commas and quotes would read as several labels where `bd` takes lists. */
export function checkLabels(labels: readonly string[]): void {
  for (const label of labels) {
    if (label.trim() === label && label !== "" && label.length <= longestLabel && !/[,"]/.test(label)) {
      if (!hasControls(label)) continue;
    }
    throw invalidInput(
      `${JSON.stringify(label)} is no label`,
      `labels have 1 to ${longestLabel} letters, without commas and quotes; -l A -l B gives two`,
    );
  }
  if (labels.length > mostLabels) throw invalidInput(`${labels.length} labels`, `a bead has at most ${mostLabels}`);
}

export function checkDependencyType(type: string): void {
  if (/^[a-z][a-z-]{0,49}$/.test(type)) return;
  const what = type === "" ? "the type of the dependency is empty" : `${type} is no type of dependencies`;
  throw invalidInput(what, "there are blocks, parent-child, related, discovered-from …");
}

function isWhole(value: number, highest: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= highest;
}

function hasControls(text: string): boolean {
  return /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(text);
}

function invalidInput(message: string, hint: string): ClewError {
  return new ClewError("invalid_input", message, hint);
}
