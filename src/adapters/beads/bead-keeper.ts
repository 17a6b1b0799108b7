import { readdirSync, statSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import { ClewError } from "../../contract/errors.ts";
import { isBelow } from "../files/bounds.ts";
import { limits } from "../files/limits.ts";
import { readRegular } from "../files/regular-file.ts";
import { signsIn, type Signs } from "./keeper-signs.ts";
import { rootPaths } from "../layout.ts";
import { beadPaths } from "../layout/bead-paths.ts";
import { realPath } from "../files/real-path.ts";
import { isObject } from "../../text/is-object.ts";
import { parseJson } from "../../text/parse-json.ts";

/** Which program keeps the beads, and where. */
export interface BeadKeeper {
  /** `native`: there is only the file of lines, which Clew writes. */
  kind: "native" | "bd" | "br";
  /** The full path of the folder: `.beads`, or where `BEADS_DIR` or a `redirect` lead. */
  folder: string;
  /** The file that shows who keeps them, as a person calls it: `.beads/metadata.json`. Of a native one, the file of lines. */
  displayPath: string;
  /** The file of lines, as a person calls it. */
  displayFile: string;
  /** Whether there is a database, of which a file beside it may be an old copy. */
  hasDatabase: boolean;
  /** What leads to another folder than `.beads`: `BEADS_DIR`, or the file `redirect`. */
  via: string | undefined;
  /** Whether the folder is outside the repository, or in git's own folder. */
  isOutside: boolean;
}

type Env = Record<string, string | undefined>;

/**
 * Finds the keeper by reading files. Throws where writing is not safe: a database of a `bd` that is too old or not set up
 * yet, signs of two programs at once, settings that cannot be read. In doubt the keeper is not native: lines that are
 * written beside a database are lost.
 */
export function findKeeper(root: string, env: Env): BeadKeeper {
  const { folder, names, via } = chosenFolder(root, env);
  const displayName = (name: string): string => `${displayFolder(folder, root)}/${name}`;
  const [metadataFile, configFile] = ["metadata.json", "config.yaml"];
  const signs = signsIn(names, {
    metadata: names.includes(metadataFile) ? readMetadata(beadPaths.metadata(folder), displayName(metadataFile)) : {},
    config: names.includes(configFile) ? readText(beadPaths.settings(folder), displayName(configFile)) : "",
  });
  refuseMixed(signs, displayName);
  const [kind, sign] = decide(signs);
  if (kind === "bd" && !signs.hasBdData) throw notSetUp(displayName(sign));
  const displayFile = displayName("issues.jsonl");
  const displayPath = kind === "native" ? displayFile : displayName(sign);
  return {
    kind,
    folder,
    displayPath: via === undefined ? displayPath : `${displayPath} (by ${via})`,
    displayFile,
    hasDatabase: kind === "bd" || names.includes("beads.db"),
    via,
    isOutside: isOutside(folder, root),
  };
}

function isOutside(folder: string, root: string): boolean {
  return !isBelow(folder, root) || relative(root, folder).split(sep).includes(".git");
}

function decide({ bd, br, old }: Signs): [BeadKeeper["kind"], string] {
  if (bd[0] !== undefined) return ["bd", bd[0]];
  if (br[0] !== undefined) return ["br", br[0]];
  if (old[0] === undefined) return ["native", ""];
  throw new Error(`${old[0]} was to be refused`);
}

function refuseMixed({ bd, br, old }: Signs, displayName: (name: string) => string): void {
  const signNames = [bd[0], br[0], old[0]].filter((sign) => sign !== undefined).map(displayName);
  if (signNames.length > 1) {
    throw new ClewError(
      "not_available",
      `${signNames.join(" and ")}: these are of different programs, and nobody can tell which one keeps the beads`,
      "move away what belongs to the one that is not used any more; bd doctor and br doctor tell more",
    );
  }
  if (old[0] === undefined) return;
  throw new ClewError(
    "not_available",
    `${displayName(old[0])}: these beads belong to a bd from before 1.0`,
    "install bd 1.0.5 or newer, and bring them over with bd migrate; until then nothing is read or written here",
  );
}

function notSetUp(displayName: string): ClewError {
  return new ClewError(
    "not_available",
    `${displayName}: these beads belong to a bd database, which is not here yet, as in a fresh clone`,
    "bd bootstrap fetches it; then repeat the command",
  );
}

interface ChosenFolder {
  folder: string;
  names: string[];
  via?: string;
}

function chosenFolder(root: string, env: Env): ChosenFolder {
  const beadsDir = env["BEADS_DIR"];
  const start = beadsDir ? realPath(resolve(root, beadsDir)) : rootPaths.beads(root);
  const names = namesIn(start, root);
  if (names.includes("redirect")) return followRedirect(start, root);
  return { folder: start, names, ...(beadsDir && start !== rootPaths.beads(root) && { via: "BEADS_DIR" }) };
}

/** One hop, as `bd` has it: what the other folder says about a third is not read. */
function followRedirect(folder: string, root: string): ChosenFolder {
  const displayName = `${displayFolder(folder, root)}/redirect`;
  const paths = readText(beadPaths.redirect(folder), displayName)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
  if (paths.length !== 1) {
    const hint = "it has one line: the path of the other .beads folder";
    throw damaged(`${displayName} names ${paths.length} folders`, hint);
  }
  const target = resolve(dirname(folder), paths[0]!);
  if (!statSync(target, { throwIfNoEntry: false })?.isDirectory()) {
    throw damaged(`${displayName} leads to ${target}, which is no folder`, "mend its path, or remove it");
  }
  const real = realPath(target);
  return { folder: real, names: namesIn(real, root), via: displayName };
}

function readMetadata(path: string, displayName: string): Record<string, unknown> {
  const value = parseJson(readText(path, displayName));
  if (isObject(value)) return value;
  throw damaged(`${displayName} is not a JSON object`, `mend it: git log -p -- ${displayName} shows how it was`);
}

function namesIn(folder: string, root: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // Reading or writing the file of lines reports what is wrong with the folder.
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP") return [];
    throw damaged(`${displayFolder(folder, root)} cannot be read: ${message}`, "see to its rights", error);
  }
}

function readText(path: string, displayName: string): string {
  try {
    return readRegular(path, limits.settings).toString("utf8");
  } catch (error) {
    throw damaged(`${displayName} cannot be read: ${(error as Error).message}`, "see to its rights", error);
  }
}

/** As a person in the repository would write it. */
function displayFolder(folder: string, root: string): string {
  const relativePath = relative(root, folder);
  return relativePath === "" || relativePath.startsWith("..") ? folder : relativePath;
}

function damaged(message: string, hint: string, cause?: unknown): ClewError {
  return new ClewError("damaged_beads", message, hint, { cause });
}
