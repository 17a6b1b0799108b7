import { isObject } from "../text/is-object.ts";
import { nearest } from "../text/nearest.ts";
import { parseJson } from "../text/parse-json.ts";
import { readWordPattern } from "../text/word-pattern.ts";
import type { Json } from "./json.ts";

/** Where a rule acts: before a tool call, at its result, before a compaction, at a prompt of the user's. */
export const policyEvents = ["tool", "result", "compaction", "prompt"] as const;
export type PolicyEvent = (typeof policyEvents)[number];

export const policyDecisions = ["deny", "ask", "allow", "stop"] as const;
export type PolicyDecision = (typeof policyDecisions)[number];

/** One rule of a policy: what it is about, and what it does. What it does not name, it is about all of. */
export interface PolicyRule {
  name?: string;
  event: PolicyEvent;
  /** Kinds of tools (`shell`, `edit`, `read`, `mcp`) or names of them, with stars. */
  tool?: string[];
  /** Words of a command. */
  command?: string;
  /** A path, with `*`, `?` and `**`. */
  path?: string;
  step?: string;
  agent?: string;
  decide?: PolicyDecision;
  reason?: string;
  /** The model reads it; before a compaction, words for its summary. */
  context?: string;
  /** Put over the input of the tool. */
  input?: Record<string, Json>;
  /** In place of what an MCP tool answered. */
  output?: Json;
}

/** What only loosens: it counts from the user's own file, or after `clew trust`. */
export function isLoosening({ decide, input, output }: PolicyRule): boolean {
  return decide === "allow" || input !== undefined || output !== undefined;
}

const maxRules = 500;
const maxChars = 10_000;
const texts = ["name", "command", "path", "step", "agent", "reason", "context"] as const;
const fields = ["event", "tool", "decide", "input", "output", ...texts];

/** Reads the value of the setting `policy`, as JSON. Throws an Error that says which rule is wrong, and what is allowed. */
export function readPolicy(text: string): PolicyRule[] {
  const value = parseJson(text);
  if (!Array.isArray(value)) throw new Error("must be a list of rules, such as [{command: git push …, decide: deny}]");
  if (value.length > maxRules) throw new Error(`must have no more than ${maxRules} rules`);
  return value.map((each: unknown, at) => {
    try {
      return readRule(each);
    } catch (error) {
      throw new Error(`rule ${at + 1} ${(error as Error).message}`, { cause: error });
    }
  });
}

function readRule(value: unknown): PolicyRule {
  if (!isObject(value)) throw new Error("must be a mapping, such as {command: git push …, decide: deny}");
  for (const name of Object.keys(value)) {
    if (fields.includes(name)) continue;
    const near = nearest(name, fields);
    throw new Error(
      `has an unknown ${JSON.stringify(name)}${near === undefined ? "" : `; did you mean ${near}?`}; there are ${fields.join(", ")}`,
    );
  }
  const rule: Record<string, unknown> = value;
  for (const name of texts) checkText(name, rule[name]);
  const { command, tool, input, output } = rule;
  if (typeof command === "string") readPart("command", () => readWordPattern(command));
  const event = oneOf("event", policyEvents, rule["event"]) ?? (output === undefined ? "tool" : "result");
  const decide = oneOf("decide", policyDecisions, rule["decide"]);
  const tools = tool === undefined ? undefined : readTools(tool);
  if (input !== undefined && !isObject(input)) throw new Error("has an input that is no mapping");
  const read = { ...rule, event, ...(decide && { decide }), ...(tools && { tool: tools }) } as unknown as PolicyRule;
  checkWhole(read);
  return read;
}

function readTools(value: unknown): string[] {
  const tools = (Array.isArray(value) ? value : String(value).split("|")) as unknown[];
  if (
    tools.length === 0 ||
    tools.length > 50 ||
    !tools.every((each) => typeof each === "string" && /^[\w*.:/-]{1,200}$/.test(each))
  ) {
    throw new Error("has a tool that is none: shell, edit, read, mcp, any, or names such as mcp__github__*");
  }
  return tools as string[];
}

/** What fits together. */
function checkWhole({ event, decide, context, input, output, command, path }: PolicyRule): void {
  if (decide === undefined && context === undefined && input === undefined && output === undefined) {
    throw new Error(`does nothing: give it decide (${policyDecisions.join(", ")}), context, input or output`);
  }
  if (input !== undefined && event !== "tool") throw new Error("has an input, which only counts before a tool call");
  if (output !== undefined && event !== "result") throw new Error("has an output, which only counts at a result");
  // Together they would loosen, and count for nothing in a repository that is not trusted.
  const rewrites = input !== undefined ? "input" : output !== undefined ? "output" : undefined;
  if (rewrites !== undefined && decide !== undefined && decide !== "allow")
    throw new Error(`decides ${decide} and has an ${rewrites}: write two rules, so that each counts by itself`);
  const possible = { tool: policyDecisions, result: ["stop"], compaction: ["deny"], prompt: ["deny", "stop"] }[event];
  if (decide !== undefined && !(possible as readonly string[]).includes(decide)) {
    throw new Error(`cannot decide ${decide} at event ${event}; possible: ${possible.join(", ")}`);
  }
  if ((event === "compaction" || event === "prompt") && (command !== undefined || path !== undefined)) {
    throw new Error(`is about event ${event}, which has no command and no path`);
  }
}

function checkText(name: string, value: unknown): void {
  if (value === undefined) return;
  const isText = typeof value === "string" && /\S/.test(value) && value.length <= maxChars && !value.includes("\0");
  if (!isText) throw new Error(`has a ${name} that is no text of up to ${maxChars} characters`);
}

function oneOf<T extends string>(name: string, allowed: readonly T[], value: unknown): T | undefined {
  if (value === undefined) return undefined;
  const found = allowed.find((each) => each === value);
  if (found === undefined) throw new Error(`has ${name} ${JSON.stringify(value)}; possible: ${allowed.join(", ")}`);
  return found;
}

function readPart(name: string, read: () => unknown): void {
  try {
    read();
  } catch (error) {
    throw new Error(`has a ${name} that ${(error as Error).message}`, { cause: error });
  }
}
