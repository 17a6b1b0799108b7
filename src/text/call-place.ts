import { isObject } from "./is-object.ts";
import { parseJson } from "./parse-json.ts";

/** Where a command ran, and whether it went on when its call was over, as engines name it in a call's input. */
export interface CallPlace {
  folder?: string;
  /** The call tells nothing of how it ends. */
  isBackground: boolean;
}

const folderKeys = ["cwd", "workdir", "directory", "dir_path"];
const backgroundKeys = ["run_in_background", "is_background"];

export function callPlace(input: Readonly<Record<string, unknown>>): CallPlace {
  const folder = folderKeys.map((key) => input[key]).find(isFolder);
  const isBackground = backgroundKeys.some((key) => input[key] === true);
  return { ...(folder !== undefined && { folder }), isBackground };
}

/** The fields of a call's input that say its place, and nothing else; undefined when it has the usual one. */
export function placeFields(input: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
  const fields = Object.entries(input).filter(([key, value]) => isPlaceField(key, value));
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
}

/** A command and the place that stands behind it as JSON. All of the text is the command where there is none. */
export function splitPlace(text: string): { command: string; place: CallPlace } {
  const at = text.endsWith("}") ? text.lastIndexOf(' {"') : -1;
  const fields = at > 0 ? placeIn(text.slice(at + 1)) : undefined;
  return fields
    ? { command: text.slice(0, at), place: callPlace(fields) }
    : { command: text, place: { isBackground: false } };
}

function placeIn(json: string): Record<string, unknown> | undefined {
  const value = parseJson(json);
  return isObject(value) && Object.entries(value).every(([key, each]) => isPlaceField(key, each)) ? value : undefined;
}

function isPlaceField(key: string, value: unknown): boolean {
  return (folderKeys.includes(key) && isFolder(value)) || (backgroundKeys.includes(key) && value === true);
}

function isFolder(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
