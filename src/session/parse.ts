import type { Task, TokensEntry } from "../contract/session.ts";
import { taskStatuses } from "../contract/session-values.ts";
import { parseCallout } from "./callout.ts";
import { unescapeName, unescapeTitle } from "./escape-one-line.ts";
import type { Item, PhaseItem, PhaseMark } from "./items.ts";
import { parseNote } from "./note.ts";
import { scan, type BlockKind } from "./scan.ts";
import { parseToolCall } from "./tool-call.ts";
import { parseJson } from "../text/parse-json.ts";

/** Receives each item with its place in the text; `end` is where the next one may begin. */
export type OnItem = (item: Item, start: number, end: number) => void;

export function parseItems(body: string): Item[] {
  const items: Item[] = [];
  readItems(body, 0, (item) => items.push(item));
  return items;
}

/**
 * Reads a body item by item, from `from` on. Total: whatever is none of Clew's forms is a person's note. Line ends
 * must be `\n` (see `normaliseLineEnds`).
 */
export function readItems(body: string, from: number, onItem: OnItem, inTools = false): void {
  let phase: PhaseItem | undefined;
  let phaseStart = 0;
  let phaseEnd = 0;
  let noteStart = -1;
  let noteEnd = 0;

  const flush = (): void => {
    if (phase) onItem(phase, phaseStart, phaseEnd);
    phase = undefined;
    if (noteStart >= 0) {
      const raw = body.slice(noteStart, noteEnd);
      if (!isDivider(raw)) onItem({ kind: "note", text: parseNote(raw) }, noteStart, noteEnd);
    }
    noteStart = -1;
  };
  const addProse = (start: number, end: number): void => {
    if (noteStart < 0) {
      flush();
      noteStart = start;
    }
    noteEnd = end;
  };

  scan(
    body,
    from,
    (kind, start, end) => {
      if (kind === "prose") return addProse(start, end);
      if (kind === "comment") {
        const value = readComment(body.slice(start, end));
        if (phase && start === phaseEnd && isMark(value)) {
          phase.mark = value;
          phaseEnd = end;
          return;
        }
        flush();
        const counted = tokensIn(value);
        if (counted) onItem(counted, start, end);
        return;
      }
      const item = kind === "tools" ? undefined : readBlock(kind, body.slice(start, end));
      if (kind !== "tools" && !item) return addProse(start, end);
      flush();
      if (item?.kind === "phase") {
        phase = item;
        phaseStart = start;
        phaseEnd = end;
      } else if (item) onItem(item, start, end);
    },
    inTools,
  );
  flush();
}

function readBlock(kind: Exclude<BlockKind, "prose" | "comment" | "tools">, text: string): Item | undefined {
  switch (kind) {
    case "title":
      return { kind: "title", text: unescapeTitle(text.slice(2).trimEnd()) };
    case "phase":
      return readHeading(text);
    case "summary":
      return { kind: "summary", text: text.slice(text.indexOf("\n") + 1) };
    case "bullet":
      return parseToolCall(text);
    case "callout":
      return parseCallout(text);
    case "tasks":
      return readTasks(text);
  }
}

const agentWord = /^@[^\s@]+(?:@[^\s@]+)?$/;
const channelWord = /^#[^\s#]+$/;

/** `## Research @researcher@1.2 #dev`: the last words, if they look like it, are channel and agent. */
function readHeading(line: string): PhaseItem {
  let title = line.slice(3).trim();
  const takeLast = (pattern: RegExp): string | undefined => {
    const at = title.lastIndexOf(" ");
    const word = title.slice(at + 1);
    if (at < 0 || !pattern.test(word)) return undefined;
    title = title.slice(0, at).trimEnd();
    return unescapeName(word.slice(1));
  };
  const channel = takeLast(channelWord);
  const agent = takeLast(agentWord);
  return {
    kind: "phase",
    title: unescapeTitle(title),
    ...(agent !== undefined && { agent }),
    ...(channel !== undefined && { channel }),
  };
}

function readComment(text: string): unknown {
  return parseJson(text.trim().slice("<!-- clew ".length, -"-->".length));
}

function isMark(value: unknown): value is PhaseMark {
  return typeof value === "object" && value !== null && typeof (value as PhaseMark).id === "string";
}

/** A person may have written anything there. */
function tokensIn(value: unknown): TokensEntry | undefined {
  const { tokens, model, engine, task, cost_usd } = (value ?? {}) as Partial<Record<keyof TokensEntry, unknown>>;
  if (typeof tokens !== "number") return undefined;
  return {
    kind: "tokens",
    tokens,
    ...(typeof model === "string" && { model }),
    ...(typeof engine === "string" && { engine }),
    ...(typeof task === "string" && { task }),
    ...(typeof cost_usd === "number" && cost_usd >= 0 && { cost_usd }),
  };
}

/** `undefined` when the JSON is not a task list: then it is text like any other. */
function readTasks(text: string): Item | undefined {
  const tasks = parseJson(text.slice(text.indexOf("\n") + 1, text.lastIndexOf("```")));
  return Array.isArray(tasks) && tasks.every(isTask) ? { kind: "tasks", tasks } : undefined;
}

function isTask(value: unknown): value is Task {
  const task = value as Partial<Task> | null;
  return (
    typeof task === "object" &&
    task !== null &&
    typeof task.content === "string" &&
    taskStatuses.includes(task.status as Task["status"])
  );
}

/** `---` between phases, as some people and earlier forms write it. */
function isDivider(note: string): boolean {
  return /^-{3,}(?:\s+-{3,})*\s*$/.test(note);
}

/** A file that an editor or git gave CRLF line ends. Clew itself never writes a carriage return. */
export function normaliseLineEnds(text: string): string {
  return text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text;
}
