import type { Entry, RemarkEntry, SubagentEntry } from "../contract/session.ts";
import { questionIdPattern, remarkSubjects, type SubagentMode, type TextKind } from "../contract/session-values.ts";
import { escapeName, unescapeName } from "./escape-one-line.ts";
import { fromMarkdown, toMarkdown } from "./markdown/lines.ts";

/**
 * Callouts: `> [!kind]` and the lines behind `>`. What an entry says stands first; its fields (`Resolution:`,
 * `Action:`, `Summary:`) stand behind, each on a line that ends in two spaces, so that a page breaks there.
 */

/** Lines that would read as a field. */
const resolution = /^Resolution:/;
const action = /^Action:/;
const subagentFields = /^(?:Summary|mode):/;

/** Entries that stand as callouts. */
export type CalloutEntry =
  | Exclude<Entry, { kind: "tool" | "tokens" | TextKind }>
  | { kind: Exclude<TextKind, "note">; text: string };

export function renderCallout(entry: CalloutEntry): string {
  switch (entry.kind) {
    case "error":
      return head("error") + withField(entry.text, "Resolution", entry.resolution, resolution);
    case "user":
      return renderUser(entry);
    case "subagent":
      return renderSubagent(entry);
    case "remark":
      return head("remark", [entry.about, entry.at, entry.until].filter(Boolean).join(" ")) + quote(entry.text);
    case "answer":
    case "decision_needed":
    case "approval_required":
      return head(entry.kind, entry.id) + quote(entry.text);
    case "text":
    case "decision":
    case "task_complete":
      return head(entry.kind === "text" ? "agent" : entry.kind) + quote(entry.text);
  }
}

function head(name: string, rest = ""): string {
  return rest === "" ? `> [!${name}]\n` : `> [!${name}] ${rest}\n`;
}

/** Behind the marker's line; of a field's value, the first line stands behind its name. */
const belowMarker = { column: 2, continues: true, isInline: false };
const behindName = { column: 2, continues: false, isInline: true };
/** What a subagent left stands behind an empty line. */
const belowGap = { column: 2, continues: false, isInline: false };

/** Lines of data behind `>`; the last one ends in two spaces when a field follows. */
function quote(text: string, fields?: RegExp, end = "", place = belowMarker): string {
  if (text === "" && end === "") return "";
  const lines = toMarkdown(text, { ...place, fields });
  lines[lines.length - 1] += end;
  return lines.map(quoteLine).join("");
}

function quoteLine(line: string): string {
  return line === "" ? ">\n" : `> ${line}\n`;
}

function withField(text: string, name: string, value: string | undefined, fields: RegExp): string {
  if (value === undefined) return quote(text, fields);
  return (text === "" ? "" : quote(text, fields, "  ")) + field(name, value, fields);
}

function field(name: string, value: string, fields: RegExp): string {
  const [first = "", ...more] = toMarkdown(value, { ...behindName, fields });
  if (more.length === 0) return `> ${name}: ${first}  \n`;
  more[more.length - 1] += "  ";
  return `> ${name}: ${first}\n${more.map(quoteLine).join("")}`;
}

/** The words and what was done on one line where that reads back as it was; else what was done is a field. */
function renderUser({ text, action: actionText }: Extract<CalloutEntry, { kind: "user" }>): string {
  const withActionField = head("user") + withField(`"${text}"`, "Action", actionText, action);
  if (actionText === undefined || actionText.includes("\n")) return withActionField;
  const oneLine = head("user") + quote(`"${text}" - ${actionText}`, action);
  const parsed = parseCallout(oneLine);
  return parsed?.kind === "user" && parsed.text === text && parsed.action === actionText ? oneLine : withActionField;
}

function renderSubagent(entry: SubagentEntry): string {
  const model = entry.model === undefined ? "" : ` ${escapeName("(", entry.model)})`;
  let text = `> [!subagent] ${escapeName("@", entry.agent)}${model}\n> mode: ${entry.mode}  \n`;
  if (entry.session !== undefined) text += `> ${entry.mode === "embed" ? "!" : ""}[[${entry.session}]]  \n`;
  if (entry.tokens !== undefined) text += `> Tokens: ${entry.tokens}  \n`;
  if (entry.content !== undefined) {
    text += `>\n${quote(entry.content, subagentFields, entry.summary === undefined ? "" : "  ", belowGap)}`;
  }
  if (entry.summary !== undefined) text += field("Summary", entry.summary, subagentFields);
  return text;
}

/** Reads one callout, given as its lines; `undefined` when it is none of Clew's and so a person's own text. */
export function parseCallout(text: string): CalloutEntry | undefined {
  const lineEnd = text.indexOf("\n");
  const nameStart = text.indexOf("[!") + 2;
  const nameEnd = text.indexOf("]", nameStart);
  if (nameEnd < 0 || (lineEnd >= 0 && nameEnd > lineEnd)) return undefined;
  const name = text.slice(nameStart, nameEnd);
  const rest = (lineEnd < 0 ? text.slice(nameEnd + 1) : text.slice(nameEnd + 1, lineEnd)).trim();
  const lines = lineEnd < 0 ? [] : unquote(text, lineEnd + 1);
  switch (name) {
    case "agent":
    case "decision":
    case "task_complete":
      return { kind: name === "agent" ? "text" : name, text: textOf(withMarkerLine(rest, lines)) };
    case "decision_needed":
    case "approval_required": {
      const id = questionIdPattern.test(rest) ? rest : undefined;
      const body = textOf(id === undefined ? withMarkerLine(rest, lines) : lines);
      return { kind: name, text: body, ...(id !== undefined && { id }) };
    }
    case "answer":
      return { kind: "answer", id: rest, text: textOf(lines) };
    case "error": {
      const [body, value] = splitField(withMarkerLine(rest, lines), "Resolution");
      return { kind: "error", text: body, ...(value !== undefined && { resolution: value }) };
    }
    case "remark":
      return parseRemark(rest, lines);
    case "user":
      return parseUser(withMarkerLine(rest, lines));
    case "subagent":
      return parseSubagent(rest, lines);
    default:
      return undefined;
  }
}

/** A person may write the text on the line of the marker itself. */
function withMarkerLine(rest: string, lines: string[]): string[] {
  return rest === "" ? lines : [rest, ...lines];
}

/** The lines from `from` on, without what quotes them. */
function unquote(text: string, from: number): string[] {
  const lines: string[] = [];
  for (let at = from; at < text.length;) {
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline;
    lines.push(text.slice(text.charCodeAt(at + 1) === 32 ? at + 2 : at + 1, end));
    at = end + 1;
  }
  return lines;
}

function textOf(lines: string[], place = belowMarker): string {
  return fromMarkdown(lines, place);
}

/** The text before a field, and the field's value. */
function splitField(lines: string[], name: string, place = belowMarker): [string, string | undefined] {
  const at = lines.findIndex((line) => line.startsWith(`${name}:`));
  if (at < 0) return [textOf(lines, place), undefined];
  const before = stripBreak(lines.slice(0, at));
  const value = stripBreak([lines[at]!.slice(name.length + 1).replace(/^ /, ""), ...lines.slice(at + 1)]);
  return [textOf(before, place), textOf(value, behindName)];
}

/** Takes the two spaces of a line break off the last line. */
function stripBreak(lines: string[]): string[] {
  const last = lines.at(-1);
  return last?.endsWith("  ") ? lines.with(-1, last.slice(0, -2)) : lines;
}

function parseUser(lines: string[]): CalloutEntry {
  const [body, value] = splitField(lines, "Action");
  if (body.length >= 2 && body.startsWith('"') && body.endsWith('"')) {
    return { kind: "user", text: body.slice(1, -1), ...(value !== undefined && { action: value }) };
  }
  const seedForm = /^"([\s\S]*)"\s+[-–—]\s+([\s\S]*)$/.exec(body);
  if (seedForm && value === undefined) return { kind: "user", text: seedForm[1]!, action: seedForm[2]! };
  return { kind: "user", text: body, ...(value !== undefined && { action: value }) };
}

const instant = /^\d{4}-\d\d-\d\dT[\d:.]{5,12}Z$/;

function parseRemark(rest: string, lines: string[]): RemarkEntry {
  const [word, at, until, ...more] = rest.split(" ");
  const about = remarkSubjects.find((each) => each === word);
  const times = [at, until].filter((each) => each !== undefined);
  const isHead = about !== undefined && more.length === 0 && times.every((each) => instant.test(each));
  if (!isHead) return { kind: "remark", text: textOf(withMarkerLine(rest, lines)) };
  return {
    kind: "remark",
    text: textOf(lines),
    about,
    ...(at !== undefined && { at }),
    ...(until !== undefined && { until }),
  };
}

const modeLine = /^mode:[ \t]*(inline|link|embed)[ \t]*$/;
const linkLine = /^(?:→[ \t]*)?!?\[\[([^\]\n]+)\]\][ \t]*$/;
const tokensLine = /^Tokens: (\d+)[ \t]*$/;

function parseSubagent(about: string, lines: string[]): SubagentEntry | undefined {
  const who = /^@(\S+)(?:[ \t]+\(([^)]+)\))?[ \t]*$/.exec(about);
  if (!who) return undefined;
  const entry: SubagentEntry = { kind: "subagent", agent: unescapeName(who[1]!), mode: "inline" };
  if (who[2] !== undefined) entry.model = unescapeName(who[2]);
  const modeAt = lines.findIndex((line) => modeLine.test(line));
  if (modeAt >= 0) entry.mode = modeLine.exec(lines[modeAt]!)![1] as SubagentMode;
  // A person may have put prose before `mode:`; it is part of what the subagent left.
  const prose = lines.slice(0, Math.max(modeAt, 0));
  let at = modeAt + 1;
  for (; at < lines.length; at++) {
    const link = entry.mode === "inline" ? null : linkLine.exec(lines[at]!);
    const tokens = tokensLine.exec(lines[at]!);
    if (link && entry.session === undefined) entry.session = link[1]!;
    else if (tokens && entry.tokens === undefined) entry.tokens = Number(tokens[1]);
    else break;
  }
  const rest = lines.slice(at);
  if (entry.mode !== "inline" && entry.session === undefined) {
    const linkAt = rest.findIndex((line) => linkLine.test(line));
    if (linkAt >= 0) entry.session = linkLine.exec(rest.splice(linkAt, 1)[0]!)![1]!;
  }
  const [content, summary] = splitField([...prose, ...withoutGap(rest)], "Summary", belowGap);
  if (content !== "" || rest[0] === "") entry.content = content;
  if (summary !== undefined) entry.summary = summary;
  return entry;
}

/** The empty line that Clew puts between the fields and the content. */
function withoutGap(lines: string[]): string[] {
  return lines[0] === "" ? lines.slice(1) : lines;
}
