import { allCommandsIn, type ExecutedCommands } from "../command/all-commands.ts";
import type { PolicyEvent } from "../contract/policy.ts";

export type ToolKind = "shell" | "edit" | "read" | "mcp" | "other";

/** What rules are asked about. */
export interface PolicyCall {
  event: PolicyEvent;
  /** As the engine calls it. */
  tool: string;
  kind: ToolKind;
  input: Record<string, unknown>;
  /** The same call with another input, read anew. */
  withInput: (input: Record<string, unknown>) => PolicyCall;
  /** What a shell tool is to execute. */
  command?: string;
  /** The files that it names, as they are written. */
  paths: readonly string[];
  /** Of a run, without its attempt. */
  step?: string;
  agent?: string;
  /** Where relative paths begin. */
  folder: string;
  /** The top of the checkout that the agent works in: there, patterns of rules begin. */
  top: string;
  /** Where those of rules that tighten begin, each of them. */
  tops: readonly string[];
  home: string;
  /** Where a path leads when links are followed; itself where that cannot be told. */
  realPath: (path: string) => string;
}

/** A call with its command read once. */
export interface ReadCall extends PolicyCall {
  executed: ExecutedCommands | undefined;
}

export function readCall(call: PolicyCall): ReadCall {
  const found = new Map<string, string>();
  const realPath = (path: string): string => {
    if (!found.has(path)) found.set(path, call.realPath(path));
    return found.get(path)!;
  };
  return { ...call, realPath, executed: call.command === undefined ? undefined : allCommandsIn(call.command) };
}
