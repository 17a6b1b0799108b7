import type { Plan, PlannedAction } from "../../contract/plan.ts";
import { formatDuration } from "../../text/duration.ts";
import type { ActionKey, HeadKey } from "./action-keys.ts";
import { fenced } from "./fence.ts";
import { writePath } from "./plan-path.ts";
import { writeReadLine, writeResearchLine, writeVaultLine } from "./sources.ts";

/**
 * The text of a plan, which reads back the same, but for the lines of its actions. Its fences are longer than any run of tildes inside.
 * A file's content ends in a line end, or is empty.
 */
export function writePlan(plan: Plan): string {
  const { title, status, plan_type, agent, goal, rationale, vault, memos, actions } = plan;
  const blocks = [
    [
      `# ${title}`,
      ...key("Status", status),
      ...key("Plan Type", plan_type),
      ...key("Agent", agent),
      ...key("Goal", goal),
    ],
    ["## Rationale", ...fencedText(rationale)],
    ["## Context Vault", ...fenced(vault.map(writeVaultLine))],
    ...(memos.length === 0 ? [] : [["## Memos", ...memos.map(writeMemo)]]),
    ["## Action Plan"],
    ...actions.map((action) => [`### \`${action.type}\``, ...writeAction(action)]),
  ];
  return `${blocks.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function key(name: ActionKey | HeadKey, value: string | undefined): string[] {
  return value === undefined || value === "" ? [] : [`- **${name}:** ${value}`];
}

function writeMemo({ change, text }: Plan["memos"][number]): string {
  return `- [${change === "add" ? "+" : "-"}] ${text}`;
}

/** Empty text has no line at all. */
function fencedText(text: string, info?: string): string[] {
  return fenced(text === "" ? [] : text.split("\n"), info);
}

function writeAction(action: PlannedAction): string[] {
  const common = [
    ...key("Description", action.description),
    ...key("Allow Failure", action.may_fail ? "true" : undefined),
  ];
  switch (action.type) {
    case "CREATE": {
      const text = action.content.endsWith("\n") ? action.content.slice(0, -1) : action.content;
      const content = action.content === "" ? [] : text.split("\n");
      const overwrite = key("Overwrite", action.overwrite ? "true" : undefined);
      return [...key("File Path", writePath(action.path)), ...overwrite, ...common, ...fenced(content)];
    }
    case "EDIT": {
      const pairs = action.edits.flatMap(({ find, replace }) => [
        "#### `FIND:`",
        ...fencedText(find),
        "#### `REPLACE:`",
        ...fencedText(replace),
      ]);
      return [...key("File Path", writePath(action.path)), ...common, ...pairs];
    }
    case "READ":
      return [...common, ...fenced(action.sources.map(writeReadLine))];
    case "RESEARCH":
      return [...common, ...fenced(action.sources.map(writeResearchLine))];
    case "EXECUTE": {
      const timeout = action.timeout_ms === undefined ? undefined : formatDuration(action.timeout_ms);
      return [
        ...key("Expected Outcome", action.expected),
        ...key("Working Directory", action.cwd === undefined ? undefined : writePath(action.cwd)),
        ...key("Timeout", timeout),
        ...common,
        ...fencedText(action.command, "shell"),
      ];
    }
    case "CHAT_WITH_USER":
      return [...common, ...fencedText(action.text)];
    case "INVOKE":
      return [...key("Agent", action.agent), ...common, ...fencedText(action.text)];
  }
}
