import { ClewError } from "../../contract/errors.ts";
import type { BeadProgram } from "./bead-program.ts";
import { readObjects } from "./program-answers.ts";
import type { BeadKeeper } from "./bead-keeper.ts";
import { realPath } from "../files/real-path.ts";

/** Older versions wrote stale lines of the file over newer rows of the database. */
const minVersion = [1, 0, 5] as const;

/** Throws unless this `bd` is new enough and uses the same folder as Clew. */
export async function probeBd(bd: BeadProgram, { folder, displayPath }: BeadKeeper): Promise<void> {
  const version = textField(await bd.call(["version", "--json"]), "version");
  if (version === undefined || !isNewEnough(version)) {
    throw new ClewError(
      "not_available",
      `${displayPath}: these beads belong to a bd database, and bd ${version ?? "of an unknown version"} is older than ${minVersion.join(".")}`,
      "install a newer bd (github.com/gastownhall/beads) and repeat the command",
    );
  }
  const path = textField(await bd.call(["where", "--json", "--readonly"]), "path");
  if (path !== undefined && realPath(path) === realPath(folder)) return;
  throw new ClewError(
    "not_available",
    `${displayPath}: bd where names another folder, ${path ?? "which it does not tell"}`,
    "bd where and bd doctor tell which beads it means; BEADS_DIR and .beads/redirect decide that",
  );
}

function textField(output: string, name: string): string | undefined {
  const value = readObjects(output)?.[0]?.[name];
  return typeof value === "string" ? value : undefined;
}

export function isNewEnough(version: string): boolean {
  const parts = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number);
  if (!parts) return false;
  const firstDifference = minVersion.findIndex((number, index) => parts[index] !== number);
  return firstDifference < 0 || parts[firstDifference]! > minVersion[firstDifference]!;
}
