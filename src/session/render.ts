import type { Task } from "../contract/session.ts";
import { renderCallout } from "./callout.ts";
import { escapeName, escapeTitle } from "./escape-one-line.ts";
import type { Item, PhaseItem, Tail } from "./items.ts";
import { renderNote } from "./note.ts";
import { toolsLine } from "./scan.ts";
import { renderToolCall } from "./tool-call.ts";

/** The text that an item adds to a body that ends in `tail`. Every item ends its last line. */
export function renderItem(item: Item, tail: Tail): string {
  switch (item.kind) {
    case "title":
      return `\n# ${escapeTitle(item.text)}\n`;
    case "phase":
      return `\n${renderHeading(item)}`;
    case "tool":
      return tail === "tools" ? renderToolCall(item) : `\n${toolsLine}\n${renderToolCall(item)}`;
    case "tokens": {
      const { kind: _, ...counted } = item;
      const line = comment(counted);
      return tail === "tools" ? `  ${line}` : `\n${line}`;
    }
    case "tasks":
      return `\n${renderTasks(item.tasks)}`;
    case "summary":
      return `\n## Summary\n${item.text}`;
    case "text":
    case "decision":
    case "task_complete":
    case "note":
      return `\n${item.kind === "note" ? renderNote(item.text) : renderCallout({ kind: item.kind, text: item.text })}`;
    default:
      return `\n${renderCallout(item)}`;
  }
}

/** What a body that ended in `tail` ends in after `item`. */
export function tailAfter(item: Item, tail: Tail): Tail {
  switch (item.kind) {
    case "title":
      return "no-phase";
    case "tool":
      return "tools";
    case "tokens":
      return tail;
    case "summary":
      return "summary";
    default:
      return tail === "no-phase" && item.kind !== "phase" ? "no-phase" : "other";
  }
}

export function renderItems(items: Item[]): string {
  let text = "";
  let tail: Tail = "no-phase";
  for (const item of items) {
    text += renderItem(item, tail);
    tail = tailAfter(item, tail);
  }
  return text;
}

function renderHeading(phase: PhaseItem): string {
  const agent = phase.agent === undefined ? "" : ` ${escapeName("@", phase.agent)}`;
  const channel = phase.channel === undefined ? "" : ` ${escapeName("#", phase.channel)}`;
  const mark = phase.mark === undefined ? "" : comment(phase.mark);
  return `## ${escapeTitle(phase.title)}${agent}${channel}\n${mark}`;
}

/** A comment cannot be ended from inside: `>` is written as its JSON escape. */
function comment(value: object): string {
  return `<!-- clew ${JSON.stringify(value).replaceAll(">", "\\u003e")} -->\n`;
}

function renderTasks(tasks: Task[]): string {
  const lines = tasks.map((task) => `  ${JSON.stringify(task)}`).join(",\n");
  return `\`\`\`tasks\n${lines === "" ? "[]" : `[\n${lines}\n]`}\n\`\`\`\n`;
}
