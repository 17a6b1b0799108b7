import { join } from "node:path";

/** What stands in a folder of beads, wherever that is. */
export const beadPaths = {
  issues: (folder: string) => join(folder, "issues.jsonl"),
  settings: (folder: string) => join(folder, "config.yaml"),
  /** Names the program that keeps the beads. */
  metadata: (folder: string) => join(folder, "metadata.json"),
  /** Leads to another folder. */
  redirect: (folder: string) => join(folder, "redirect"),
  /** The locks of a folder that stands in no repository. */
  locks: (folder: string) => join(folder, ".clew-locks"),
} as const;
