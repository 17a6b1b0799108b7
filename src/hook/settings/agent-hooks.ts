import { hookVariables } from "../../contract/hook.ts";
import { shellWord } from "../../text/shell-word.ts";
import { kebabOf } from "../events.ts";
import { engineEvents } from "./engine-hooks.ts";

/** Seconds. What is looked at before and after a call may be a large folder. */
const timeoutS = 120;

type HookSettings = { hooks: Record<string, { hooks: object[] }[]> };

/**
 * The settings by which an agent that Clew starts tells its hooks at an address, beside those that the user has. The token comes from the
 * environment: other users can read a command line. Claude never calls HTTP hooks when a session starts: a command hands that one on.
 */
export function agentHookSettings(
  engine: "claude" | "qwen",
  url: string,
  clew: readonly string[],
  failsClosed = false,
): HookSettings {
  const headers = { Authorization: `Bearer \${${hookVariables.token}}` };
  const http = { type: "http", url, headers, allowedEnvVars: [hookVariables.token], timeout: timeoutS };
  const command = (event: string): object => {
    const words = [...clew, "hook", kebabOf(event), "--engine", engine, "--to-driver"];
    return { type: "command", command: words.map(shellWord).join(" "), timeout: timeoutS };
  };
  const hookOf = (event: string): object => {
    if (engine !== "claude") return http;
    if (event === "SessionStart") return command(event);
    return failsClosed && event === "PreToolUse" ? { ...http, onFailure: "block" } : http;
  };
  return { hooks: Object.fromEntries(engineEvents[engine].map((event) => [event, [{ hooks: [hookOf(event)] }]])) };
}
