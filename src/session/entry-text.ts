import type { Item } from "./items.ts";

/** All that an item says, as plain text: what a search looks through. */
export function entryText(item: Item): string {
  switch (item.kind) {
    case "phase":
      return [item.title, item.agent, item.channel].filter(Boolean).join(" ");
    case "tool":
      return [item.name, item.args, item.result_full ?? item.result].filter(Boolean).join("\n");
    case "error":
      return [item.text, item.resolution].filter(Boolean).join("\n");
    case "user":
      return [item.text, item.action].filter(Boolean).join("\n");
    case "subagent":
      return [item.agent, item.model, item.content, item.summary].filter(Boolean).join("\n");
    case "tasks":
      return item.tasks.map((task) => task.content).join("\n");
    case "tokens":
      return item.model ?? "";
    case "text":
    case "decision":
    case "task_complete":
    case "note":
    case "remark":
    case "decision_needed":
    case "approval_required":
    case "answer":
    case "title":
    case "summary":
      return item.text;
  }
}
