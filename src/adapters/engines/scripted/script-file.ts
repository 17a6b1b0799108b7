import { resolve } from "node:path";
import type { Settings } from "../../../contract/settings.ts";

/** The script of the engine `scripted`: from the environment, relative to the caller's folder, or from the settings, to the root. */
export function scriptFile(
  { engines }: Settings,
  env: Record<string, string | undefined>,
  root: string,
): string | null {
  const scriptPath = env["CLEW_SCRIPT"];
  if (scriptPath) return resolve(scriptPath);
  const script = engines.scripted?.script;
  return script === undefined ? null : resolve(root, script);
}
