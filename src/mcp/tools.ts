import type { ClewError } from "../contract/errors.ts";
import type { JsonObject } from "./json-rpc.ts";
import type { Cache } from "./cache.ts";

/** A tool as a client sees it. */
export type Tool = JsonObject & { name: string };

/** The tools that a server offers, wherever they are. Neither function throws. */
export interface Tools {
  /** Tells a model what the tools are for. Some engines show it nothing else until it looks for a tool. */
  instructions: string;
  /** How long a client may keep the list; not at all without it. */
  cache?: Cache;
  list(): Promise<Tool[]>;
  /** Undefined when there is no such tool. `args` and `meta`, what the client tells of the call, may be anything that is JSON. */
  call(name: string, args: JsonObject[string], meta?: JsonObject[string]): Promise<ToolResult | undefined>;
}

/** What a call gives. Some engines show a model only the text, others only `structuredContent`. */
export type ToolResult = {
  content: { type: "text"; text: string }[];
  structuredContent: JsonObject;
  isError?: true;
};

/** The same JSON in both places, so that every model sees it. */
export function toolResult(value: JsonObject): ToolResult {
  return { content: [{ type: "text", text: JSON.stringify(value) }], structuredContent: value };
}

/** What went wrong, for the model to act on: a failed call is a result, no error of the protocol. */
export function failedCall(problem: string): ToolResult {
  return { ...toolResult({ accepted: false, problem }), isError: true };
}

/** The same for what an operation refused. */
export function refusedCall(error: ClewError): ToolResult {
  return { ...toolResult(error.toJSON()), isError: true };
}
