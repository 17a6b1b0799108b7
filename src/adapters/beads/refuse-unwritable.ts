import { nodeDisk } from "../files/node-disk.ts";
import { refuseConflict } from "./bead-files.ts";
import { issuesFileAt } from "./issues-file.ts";
import { findWorkspace } from "./workspace.ts";

/**
 * Throws when beads cannot be written: they belong to a program that is not there, or git left a conflict in their file.
 * Starts nothing.
 */
export async function refuseUnwritable(root: string, env: Record<string, string | undefined>): Promise<void> {
  const { kind, folder, shown, hasDatabase } = findWorkspace(root, env);
  if (kind !== "native") {
    const { isInstalled, notInstalled } = await import("./bead-program.ts");
    if (isInstalled(kind, root, env)) return;
    if (hasDatabase) throw notInstalled(kind, shown);
  }
  refuseConflict(issuesFileAt(nodeDisk, root, folder).read());
}
