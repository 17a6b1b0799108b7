import { resolve } from "node:path";
import type { Settings } from "../../../contract/settings.ts";

/** What the engine `scripted` plays: from the environment as the caller sees it, from the settings below the root. */
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
