import type { RunSettings } from "../../contract/pinned-run.ts";
import type { Settings } from "../../contract/settings.ts";

/** The settings that a run is pinned to. `script` is the file that the engine `scripted` plays, null without one. */
export function runSettings(settings: Settings, script: string | null): RunSettings {
  const { engine, run_timeout: run, agent_timeout: agent, script_timeout, permission_wait } = settings;
  const timeouts_ms = { run, agent, script: script_timeout };
  return { engine, timeouts_ms, permission_wait_ms: permission_wait, script };
}

/** With the engine that a command named, which goes before all that files say. */
export function withEngine(settings: RunSettings, engine: string | undefined): RunSettings {
  return engine === undefined ? settings : { ...settings, engine, engine_by_flag: true };
}
