import { resolve } from "node:path";
import type { Settings } from "../../../contract/settings.ts";

/** The script of the engine `scripted`: from the environment, relative to the caller's folder, or from the settings, to the root. */
export function scriptFile(
  { engines }: Settings,
  env: Record<string, string | undefined>,
  root: string,
): string | null {
  if (env["CLEW_SCRIPT"]) return resolve(env["CLEW_SCRIPT"]);
  const script = engines.scripted?.script;
  return script === undefined ? null : resolve(root, script);
}

/** Where it comes from: the variable, or the setting. */
export function scriptOrigin(env: Record<string, string | undefined>): string {
  return env["CLEW_SCRIPT"] ? "CLEW_SCRIPT" : "engines.scripted.script";
}
