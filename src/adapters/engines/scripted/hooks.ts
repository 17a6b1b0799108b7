import { Agent, request as httpRequest } from "node:http";
import type { Json } from "../../../contract/grimoire.ts";
import { hookVariables } from "../../../contract/hook.ts";
import { fieldsOf, objectIn, textOf, type Fields } from "../../../engine/read-fields.ts";

/** What a hook was answered, as far as Claude heeds it. */
export interface HookVerdict {
  /** `ask` has a person asked; undefined when the hook decides nothing. */
  decision?: "allow" | "deny" | "ask";
  /** Why the call, the prompt, the end or the compaction is refused. */
  reason?: string;
  /** Another input for the tool. */
  input?: Fields;
  /** What an MCP tool is to have answered. */
  output?: Json;
  /** For the model; before a compaction, for its summary. */
  context?: string;
  /** It is to stop, for this reason. */
  stop?: string;
}

/** Tells of an event. Never rejects: a hook that fails lets the engine go on, as Claude does. */
export type TellHook = (event: string, fields: Fields) => Promise<HookVerdict>;

const waitMs = 60_000;
const maxAnswerChars = 1_000_000;

/** Hooks over HTTP, at the address that Clew named in the environment. Without one nothing is told. */
export function httpHooks(env: Record<string, string | undefined>, common: Fields): TellHook {
  const url = env[hookVariables.url];
  const token = env[hookVariables.token];
  if (!url || !token) return async () => ({});
  const agent = new Agent({ keepAlive: true });
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const post = (body: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const signal = AbortSignal.timeout(waitMs);
      const request = httpRequest(url, { method: "POST", agent, headers, signal }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => (text = (text + part).slice(0, maxAnswerChars)));
        response.on("end", () => (response.statusCode === 200 ? resolve(text) : reject(new Error(text))));
        response.on("error", reject);
      });
      request.on("error", reject).end(body);
    });
  return async (event, fields) => {
    try {
      return verdictIn(event, await post(JSON.stringify({ ...common, hook_event_name: event, ...fields })));
    } catch {
      return {};
    }
  };
}

/** What an answer in Claude's form says. */
function verdictIn(event: string, text: string): HookVerdict {
  const fields = objectIn(text);
  // Plain words join the instructions for a summary.
  if (!fields) return text.trim() === "" ? {} : { context: text };
  const specific = fieldsOf(fields.hookSpecificOutput);
  const permission = fieldsOf(specific.decision);
  const said = textOf(specific.permissionDecision) ?? textOf(permission.behavior);
  const decision =
    fields.decision === "block" ? "deny" : (["allow", "deny", "ask"] as const).find((one) => one === said);
  const reason =
    textOf(specific.permissionDecisionReason) ?? textOf(permission.message) ?? textOf(fields.reason) ?? undefined;
  const input = specific.updatedInput ?? permission.updatedInput;
  const context = textOf(specific.additionalContext);
  const output = event === "PostToolUse" ? specific.updatedMCPToolOutput : undefined;
  return {
    ...(decision !== undefined && { decision }),
    ...(reason !== undefined && { reason }),
    ...(input !== undefined && { input: fieldsOf(input) }),
    ...(output !== undefined && { output }),
    ...(context !== undefined && { context }),
    ...(fields.continue === false && { stop: textOf(fields.stopReason) ?? "a hook stopped it" }),
  };
}
