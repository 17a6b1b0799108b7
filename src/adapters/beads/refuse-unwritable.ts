import { ClewError } from "../../contract/errors.ts";
import { refuseConflictedFile } from "./bead-files.ts";
import type { BeadKeeper } from "./bead-keeper.ts";
import type { IssuesFile } from "./issues-file.ts";

interface Parts {
  root: string;
  env: Record<string, string | undefined>;
  mayWriteOutside: boolean;
}

/**
 * Throws when beads cannot be written: their program is not installed, they stand outside the repository, or git left a
 * conflict in their file. Starts no program.
 */
export async function refuseUnwritable(
  keeper: BeadKeeper,
  file: () => IssuesFile,
  { root, env, mayWriteOutside }: Parts,
): Promise<void> {
  const { kind, displayPath, hasDatabase } = keeper;
  if (kind !== "native") {
    const { isInstalled, notInstalled } = await import("./bead-program.ts");
    if (isInstalled(kind, root, env)) return;
    if (hasDatabase) throw notInstalled(kind, displayPath);
  }
  if (keeper.isOutside && !mayWriteOutside) throw outsideError(keeper);
  const issues = file();
  refuseConflictedFile(issues.read(), issues.displayPath);
}

function outsideError({ displayFile, via }: BeadKeeper): ClewError {
  return new ClewError(
    "leads_outside",
    `${displayFile} is where ${via ?? ".beads"} leads, and Clew writes only inside the repository`,
    "allow_outside_beads: true in your own settings lets it write there (see clew config show); reading needs nothing",
  );
}
