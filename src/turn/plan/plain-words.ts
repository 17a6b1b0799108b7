import { trimOf } from "../../text/trim.ts";
import { actionTypes, type ActionType } from "../../contract/plan.ts";

/** What models put around words: blanks, bold, code, a colon, a heading's closing signs. */
const around = " \t\r*_`:#";

/** A heading or key as its words alone, in lower case: `` **`File Path`:** `` is `file path`. */
function plainWords(text: string): string {
  return trimOf(text, around).toLowerCase();
}

/** The text of a heading, and where it begins in the line; undefined for other lines. */
export interface HeadingLine {
  level: number;
  text: string;
  offset: number;
}

/** The space behind the signs may be missing, but for a title: `#1` and `#!/bin/sh` are none. */
export function headingLine(line: string): HeadingLine | undefined {
  let start = 0;
  while (start < 3 && line[start] === " ") start++;
  let end = start;
  while (line[end] === "#") end++;
  const level = end - start;
  if (level < 1 || level > 6) return undefined;
  const next = line[end];
  const isSpaced = next === undefined || next === " " || next === "\t" || next === "\r";
  if (!isSpaced && (level === 1 || !/[A-Za-z`*]/.test(next))) return undefined;
  const text = line.slice(end).trim();
  return { level, text, offset: text === "" ? start : line.indexOf(text, end) };
}

export const sectionNames = ["Rationale", "Context Vault", "Memos", "Action Plan"] as const;
export type SectionName = (typeof sectionNames)[number];

export function parseSectionName(text: string): SectionName | undefined {
  const words = plainWords(text);
  return sectionNames.find((name) => name.toLowerCase() === words);
}

export type EditLabel = "FIND" | "REPLACE";

/** `` `FIND:` ``, `FIND`, `**Replace:**`. */
export function editLabel(text: string): EditLabel | undefined {
  if (text.length > 40) return undefined;
  const words = plainWords(text);
  return words === "find" ? "FIND" : words === "replace" ? "REPLACE" : undefined;
}

/** What an action's heading says; `rest` is what stands behind the type. */
export interface ActionHeading {
  type: ActionType;
  rest: string;
}

/** `` `CREATE` ``, `create`, `1. CREATE`, `Chat with user`, `CREATE: the file`. In prose a type has to be in capitals. */
export function actionHeading(text: string): ActionHeading | undefined {
  const words = text.replace(/^(?:action[ \t]+)?\d{1,4}[.):]?[ \t]+/i, "");
  const whole = typeNamed(trimOf(words, around));
  if (whole) return { type: whole, rest: "" };
  let start = 0;
  while (start < words.length && around.includes(words[start]!)) start++;
  let end = start;
  while (end < words.length && /[A-Z_]/.test(words[end]!)) end++;
  const type = typeNamed(words.slice(start, end));
  return type && { type, rest: trimOf(words.slice(end), `${around}-–—`) };
}

function typeNamed(words: string): ActionType | undefined {
  if (words.length > 20) return undefined;
  const name = words.toUpperCase().replaceAll(/[ -]/g, "_");
  return actionTypes.find((type) => type === name);
}

/** Whether a part of a plan begins here, wherever the line stands. */
export function beginsPart(line: string): boolean {
  const heading = headingLine(line);
  if (heading === undefined || heading.level === 1) return false;
  const { level, text } = heading;
  if (level === 2) return parseSectionName(text) !== undefined;
  return actionHeading(text)?.rest === "" || editLabel(text) !== undefined;
}
