import { resolve } from "node:path";
import type { RunSettings } from "../contract/run.ts";
import type { Settings } from "../contract/settings.ts";

/** The settings that a run is pinned to. */
export function runSettings(settings: Settings, env: Record<string, string | undefined>, root: string): RunSettings {
  const { engine, run_timeout: run, agent_timeout: agent, script_timeout: script } = settings;
  return { engine, timeouts_ms: { run, agent, script }, script: scriptFile(env, settings, root) };
}

/** What the engine `scripted` plays: from the environment as the caller sees it, from the settings below the root. */
function scriptFile(env: Record<string, string | undefined>, { engines }: Settings, root: string): string | null {
  const named = env["CLEW_SCRIPT"];
  if (named) return resolve(named);
  const script = engines.scripted?.script;
  return script === undefined ? null : resolve(root, script);
}
