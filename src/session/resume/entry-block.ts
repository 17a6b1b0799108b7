import type { Entry, SubagentEntry, ToolEntry } from "../../contract/session.ts";
import { asOneLine } from "../text.ts";

/** What a context shows of a phase. Token counts are bookkeeping and tell an agent nothing. */
export type ContextEntry = Exclude<Entry, { kind: "tokens" }>;

/** Cuts a text that is longer than `tokens`, or than what its maker deems long. */
export type Cut = (text: string, tokens?: number) => string;

/** Tokens of a tool call, and of its result: enough to see what was done. */
const toolTokens = 100;
/** Tokens of the names behind a callout's marker. */
const headTokens = 60;

/**
 * An entry as markdown, in the look of session.md. What was logged stands behind `>` or on one line, so that nothing in
 * it is read as a part of the frame around it. Decisions are never cut here.
 */
export function entryBlock(entry: ContextEntry, cut: Cut, isOpen: boolean): string {
  switch (entry.kind) {
    case "tool":
      return toolLine(entry, cut);
    case "text":
      return callout("[!agent]", cut(entry.text));
    case "decision":
      return callout("[!decision]", entry.text);
    case "note":
    case "remark":
    case "task_complete":
      return callout(`[!${entry.kind}]`, cut(entry.text));
    case "decision_needed":
    case "approval_required":
      return callout(`[!${entry.kind}] ${names(cut, entry.id)} (${isOpen ? "open" : "answered"})`, cut(entry.text));
    case "answer":
      return callout(`[!answer] ${names(cut, entry.id)}`, cut(entry.text));
    case "error":
      return callout("[!error]", cut(entry.text), field("Resolution", entry.resolution, cut));
    case "user":
      return callout("[!user]", `"${cut(entry.text)}"`, field("Action", entry.action, cut));
    case "subagent":
      return subagentBlock(entry, cut);
  }
}

function subagentBlock({ agent, model, session, content, summary }: SubagentEntry, cut: Cut): string {
  const who = names(cut, `@${agent}`, model && `(${model})`, session && `[[${session}]]`);
  return callout(`[!subagent] ${who}`, content && cut(content), field("Summary", summary, cut));
}

function toolLine({ name, args, result, failed, full }: ToolEntry, cut: Cut): string {
  const call = codeSpan(cut(`${name} ${args}`, toolTokens));
  const fileNote = full === undefined ? "" : ` (whole: ${codeSpan(names(cut, full))})`;
  const outcome = `${failed ? "✗ " : ""}${onOneLine(cut(result ?? "", toolTokens))}`.trim();
  return `- ${call}${fileNote}${outcome === "" ? "" : ` → ${outcome}`}\n`;
}

function callout(head: string, ...texts: (string | undefined)[]): string {
  const lines = texts.filter((text) => text !== undefined).flatMap((text) => text.split(/\r\n|\r|\n/));
  return [asOneLine(head), ...lines].map((line) => (line === "" ? ">\n" : `> ${line}\n`)).join("");
}

function field(name: string, value: string | undefined, cut: Cut): string | undefined {
  return value === undefined ? undefined : `${name}: ${cut(value)}`;
}

function names(cut: Cut, ...words: (string | undefined)[]): string {
  return cut(words.filter(Boolean).join(" "), headTokens);
}

/** Between more backticks than stand in the text. */
function codeSpan(text: string): string {
  const line = onOneLine(text).trim();
  if (!line.includes("`")) return `\`${line}\``;
  const longest = line.match(/`+/g)!.reduce((most, run) => Math.max(most, run.length), 0);
  const ticks = "`".repeat(longest + 1);
  return `${ticks} ${line} ${ticks}`;
}

function onOneLine(text: string): string {
  return text.replace(/\r\n|\r|\n/g, "⏎");
}
