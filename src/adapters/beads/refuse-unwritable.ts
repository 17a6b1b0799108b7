import { bdDatabase } from "./bd-database.ts";

/** Throws when beads cannot be written: they belong to a database of `bd`, and `bd` is not there. Starts nothing. */
export async function refuseUnwritable(root: string, env: Record<string, string | undefined>): Promise<void> {
  const database = bdDatabase(root);
  if (database === undefined) return;
  const { refuseWithoutBd } = await import("./bd-program.ts");
  refuseWithoutBd(database, root, env);
}
