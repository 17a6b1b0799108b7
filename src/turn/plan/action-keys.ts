import type { ActionType } from "../../contract/plan.ts";

/** The keys of a plan's head. */
export const headKeys = ["Status", "Plan Type", "Agent", "Goal"] as const;
export type HeadKey = (typeof headKeys)[number];

/** The keys of actions. */
export type ActionKey =
  | "Description"
  | "Allow Failure"
  | "File Path"
  | "Overwrite"
  | "Expected Outcome"
  | "Working Directory"
  | "Timeout"
  | "Agent";

const everyAction = ["Description", "Allow Failure"] as const;

/** What each type may say, in the order in which it is written. */
export const keysOf: Record<ActionType, readonly ActionKey[]> = {
  CREATE: ["File Path", "Overwrite", ...everyAction],
  EDIT: ["File Path", ...everyAction],
  READ: everyAction,
  RESEARCH: everyAction,
  EXECUTE: ["Expected Outcome", "Working Directory", "Timeout", ...everyAction],
  CHAT_WITH_USER: everyAction,
  INVOKE: ["Agent", ...everyAction],
};

/** The form of a value, for a message. */
export const keyForms: Record<ActionKey, string> = {
  Description: "- **Description:** what it is for",
  "Allow Failure": "- **Allow Failure:** true",
  "File Path": "- **File Path:** [src/a.txt](/src/a.txt)",
  Overwrite: "- **Overwrite:** true",
  "Expected Outcome": "- **Expected Outcome:** what should come of it",
  "Working Directory": "- **Working Directory:** packages/a",
  Timeout: "- **Timeout:** 5m",
  Agent: "- **Agent:** dev",
};

/** What models say for it. */
const aliases = new Map<string, ActionKey>([
  ["path", "File Path"],
  ["file", "File Path"],
]);

/** The key that a name stands for, whatever its case and however its words are joined. */
export function resolveKey<K extends string>(name: string, keys: readonly K[]): K | undefined {
  const words = name.toLowerCase().replaceAll(/[ _-]+/g, " ");
  const alias = aliases.get(words);
  return keys.find((key) => key.toLowerCase() === words) ?? keys.find((key) => key === alias);
}
