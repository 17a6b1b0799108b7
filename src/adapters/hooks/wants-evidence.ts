import { readdirSync } from "node:fs";
import { attempt } from "../../text/attempt.ts";
import { hookPaths } from "../layout/hook-paths.ts";

/** Whether the step of a connected agent requires calls that its hooks have to see: one look into a folder. */
export function wantsEvidence(home: string): boolean {
  return attempt(() => readdirSync(hookPaths.wantedFolder(home)), []).length > 0;
}
