import { readdirSync } from "node:fs";
import { join } from "node:path";
import { limits } from "../files/limits.ts";
import { readRegular } from "../files/regular-file.ts";

/** Folders in which `bd` keeps its database, by the names that its versions use. */
const folders = ["dolt", "embeddeddolt"];

/**
 * What says that the beads belong to a database of `bd`, below the root; undefined when the file is all there is. Such a
 * database would not learn of lines that others write, and write over them.
 */
export function bdDatabase(root: string): string | undefined {
  const folder = join(root, ".beads");
  if (/^no-db:\s*true\s*(?:#.*)?$/m.test(textOf(join(folder, "config.yaml")))) return undefined;
  const names = namesIn(folder);
  const found = names.find((name) => name.endsWith(".db") || folders.includes(name));
  if (found !== undefined) return `.beads/${found}`;
  return namesBackend(textOf(join(folder, "metadata.json"))) ? ".beads/metadata.json" : undefined;
}

/** A file of settings that git has kept names a backend, though its database may not be here yet. */
function namesBackend(metadata: string): boolean {
  try {
    const { backend } = JSON.parse(metadata) as { backend?: unknown };
    return typeof backend === "string" && backend !== "" && backend !== "jsonl";
  } catch {
    return false;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function textOf(path: string): string {
  try {
    return readRegular(path, limits.settings).toString("utf8");
  } catch {
    return "";
  }
}
