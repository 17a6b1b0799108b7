import { placeFields, splitPlace } from "./call-place.ts";
import { isObject } from "./is-object.ts";

/** Under these names tools take what a call is about; the first that has text counts. */
const subjectNames = ["command", "file_path", "filePath", "path", "pattern", "url", "query", "description"];

/** So much JSON can be read on one line. */
const readableJson = 200;

/** What a tool call is about: its command, file, pattern …, else the first text that it was given. */
export function callSubject(input: unknown): string | undefined {
  if (isText(input)) return input;
  const fields = fieldsOf(input);
  const name = subjectName(fields);
  return name === undefined ? Object.values(fields).find(isText) : (fields[name] as string);
}

/**
 * A tool's input as people read it: the command and, as JSON, its folder and whether it went on in the background; or what a
 * call is about first and the rest as JSON. What has text of several lines, or much of it, is JSON as a whole: a session shows
 * that key by key.
 */
export function callArgs(input: unknown): string {
  try {
    return argsText(input);
  } catch (error) {
    // What is nested so deep that it cannot be walked is no input of any tool.
    if (error instanceof RangeError) return "(nested too deep to be shown)";
    throw error;
  }
}

function argsText(input: unknown): string {
  if (typeof input === "string") return input;
  const fields = fieldsOf(input);
  if (fields !== input) return JSON.stringify(input);
  const name = subjectName(fields);
  if (name === "command") return commandArgs(fields[name] as string, placeFields(fields));
  const others = Object.entries(fields).filter(([key]) => key !== name);
  // The same as below, without writing the others twice.
  if (others.some(([, value]) => isLong(value))) return JSON.stringify(input);
  const rest = others.length === 0 ? [] : [JSON.stringify(Object.fromEntries(others))];
  if (rest.some((json) => json.length > readableJson || json.includes("\\n"))) return JSON.stringify(input);
  return [...(name === undefined ? [] : [fields[name] as string]), ...rest].join(" ");
}

/** A command alone where nothing is said of its place. What would read as a place is no part of it that stands bare. */
function commandArgs(command: string, place: Record<string, unknown> | undefined): string {
  if (!place && splitPlace(command).command === command) return command;
  return place && !/[\n\r]/.test(command)
    ? `${command} ${JSON.stringify(place)}`
    : JSON.stringify({ command, ...place });
}

function subjectName(fields: Record<string, unknown>): string | undefined {
  return subjectNames.find((name) => isText(fields[name]));
}

function fieldsOf(input: unknown): Record<string, unknown> {
  return isObject(input) ? input : {};
}

function isLong(value: unknown): boolean {
  return typeof value === "string" && (value.length > readableJson || value.includes("\n"));
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
