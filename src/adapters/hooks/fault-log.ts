import { appendFileSync, constants, lstatSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { HookFault } from "../../contract/hook.ts";
import type { Redacted } from "../../contract/redacted.ts";
import { attempt } from "../../text/attempt.ts";
import { parseJson } from "../../text/parse-json.ts";
import { hookPaths } from "../layout/hook-paths.ts";

/** When the log is longer, it begins anew: what is wrong now counts. */
const maxBytes = 256 * 1024;

/** Notes why a call of a hook was not kept. Never throws: an agent is not to be stopped by a fault of ours. */
export function noteFault(home: string, fault: Redacted<HookFault>): void {
  const path = hookPaths.faults(home);
  attempt(() => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats && (!stats.isFile() || stats.size > maxBytes)) rmSync(path);
    const flag = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;
    appendFileSync(path, `${JSON.stringify(fault)}\n`, { flag: flag as unknown as string, mode: 0o600 });
  }, undefined);
}

/** All that were noted, oldest first. */
export function readFaults(home: string): HookFault[] {
  const text = attempt(() => readFileSync(hookPaths.faults(home), "utf8"), "");
  return text.split("\n").flatMap((line) => (parseJson(line) as HookFault | undefined) ?? []);
}

export function forgetFaults(home: string): void {
  rmSync(hookPaths.faults(home), { force: true });
}
