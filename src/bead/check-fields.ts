import type { FieldChanges } from "../contract/api/bead-shapes.ts";
import { beadStatuses, beadTypes } from "../contract/bead.ts";
import { ClewError } from "../contract/errors.ts";
import { nearest } from "../text/nearest.ts";

const maxTextChars = 1024 * 1024;
const maxTitleChars = 500;
const maxLineChars = 200;
const maxLabelChars = 100;
const maxLabels = 100;
const maxMinutes = 10_000_000;

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
  if (fields.estimated_minutes != null && !isWhole(fields.estimated_minutes, maxMinutes)) {
    throw invalidInput(`the estimate is ${fields.estimated_minutes}`, "it is a whole number of minutes");
  }
}

function checkTitle(title: string): void {
  if (title.trim() === "") throw invalidInput("the title is empty", "say in a line what is to be done");
  const hint = "details go into the description: -d TEXT";
  if (hasControls(title)) throw invalidInput("the title is not one line of text", hint);
  const length = [...title].length;
  if (length > maxTitleChars) throw invalidInput(`the title has ${length} letters, more than ${maxTitleChars}`, hint);
}

export function checkText(name: string, text: string | null | undefined): void {
  if (text == null || text.length <= maxTextChars) return;
  throw invalidInput(
    `${name} has ${text.length} letters, more than ${maxTextChars}`,
    "name a file that holds it instead",
  );
}

function checkLine(name: string, text: string | null | undefined): void {
  if (text == null || (text.length <= maxLineChars && text.trim() !== "" && !hasControls(text))) return;
  throw invalidInput(`${name} is no line of 1 to ${maxLineChars} letters`, "give a shorter one");
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
    if (label.trim() === label && label !== "" && label.length <= maxLabelChars && !/[,"]/.test(label)) {
      if (!hasControls(label)) continue;
    }
    throw invalidInput(
      `${JSON.stringify(label)} is no label`,
      `labels have 1 to ${maxLabelChars} letters, without commas and quotes; -l A -l B gives two`,
    );
  }
  if (labels.length > maxLabels) throw invalidInput(`${labels.length} labels`, `a bead has at most ${maxLabels}`);
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
