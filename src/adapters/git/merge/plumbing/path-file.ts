import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { explainErrors } from "../../../files/failure.ts";
import { joinPaths, type BytePath } from "./paths.ts";

/** Gives git a list of paths by a file, because arguments are limited in length and cannot hold every name. */
export async function withPathFile<T>(paths: BytePath[], use: (args: string[]) => Promise<T>): Promise<T> {
  const prefix = join(tmpdir(), "clew-paths-");
  const folder = explainErrors(prefix, () => mkdtempSync(prefix));
  const file = join(folder, "paths");
  try {
    explainErrors(file, () => writeFileSync(file, joinPaths(paths)));
    return await use([`--pathspec-from-file=${file}`, "--pathspec-file-nul"]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
