import { readdirSync, realpathSync, statSync, type Stats } from "node:fs";
import { basename, extname, join, relative, resolve, sep } from "node:path";
import type { DefinitionFile, DefinitionFiles, Origin } from "../../app/grimoire/ports.ts";
import type { Grimoire } from "../../contract/grimoire.ts";
import { ClewError } from "../../contract/errors.ts";
import { rootPaths } from "../layout.ts";
import { explainErrors, isMissing } from "./failure.ts";
import { limits } from "./limits.ts";
import { kindOf, readRegular } from "./regular-file.ts";

const maxBytes = limits.settings;

interface DefinitionFolder {
  origin: Origin;
  folder: string;
  /** What stands before a file's name when a person is told of it. */
  displayPrefix: string;
  /** Links must not lead out of here; undefined for the program's own files. */
  within: string | undefined;
}

export interface Places {
  cwd: string;
  /** The main checkout; undefined outside a repository, where only built-in ones are known. */
  root: string | undefined;
  builtins: string;
}

export function definitionFiles({ cwd, root, builtins }: Places): DefinitionFiles {
  const foldersOf = (kind: "grimoires" | "spells"): DefinitionFolder[] => [
    ...(root === undefined
      ? []
      : [
          {
            origin: "repository" as const,
            folder: rootPaths[kind](root),
            displayPrefix: `.clew/${kind}/`,
            within: root,
          },
        ]),
    { origin: "built-in", folder: join(builtins, kind), displayPrefix: `built-in/${kind}/`, within: undefined },
  ];

  const readAt = (full: string, path: string): DefinitionFile | undefined => {
    const text = readText(full, path, undefined);
    const relativePath = root === undefined ? undefined : relative(root, full);
    const file = relativePath === undefined || relativePath.startsWith("..") ? path : relativePath;
    return text === undefined ? undefined : { origin: "file", file, text };
  };

  return {
    grimoires: () =>
      foldersOf("grimoires").flatMap((shelf) =>
        namesIn(shelf.folder, [".yaml", ".yml"]).flatMap((name) => readOrReport(shelf, name) ?? []),
      ),

    spell(name) {
      if (!isSafeName(name)) return undefined;
      for (const shelf of foldersOf("spells")) {
        const found = readOrReport(shelf, name);
        if (found) return found;
      }
      return undefined;
    },

    spellNames: () => [...new Set(foldersOf("spells").flatMap(({ folder }) => namesIn(folder, [".md"])))],

    named: (path) => readAt(resolve(cwd, path), path),

    shown: (file) => readAt(resolve(root ?? cwd, file), file),
  };
}

/** A name that stays below its folder. */
function isSafeName(name: string): boolean {
  return name.split("/").every((part) => /^[\p{L}\p{N}_][\p{L}\p{N}_. -]*$/u.test(part));
}

function readDefinition(
  { origin, folder, displayPrefix, within }: DefinitionFolder,
  name: string,
): DefinitionFile | undefined {
  const path = join(folder, name);
  const file = displayPrefix + name;
  const text = readText(path, file, within);
  return text === undefined ? undefined : { origin, file, text };
}

/** One file that cannot be read must not hide the others. */
function readOrReport(shelf: DefinitionFolder, name: string): DefinitionFile | undefined {
  try {
    const definition = readDefinition(shelf, name);
    if (definition?.origin !== "built-in") return definition;
    return { ...definition, readByBuild: () => readByBuild(join(shelf.folder, name)) };
  } catch (error) {
    if (!(error instanceof ClewError)) throw error;
    const file = shelf.displayPrefix + name;
    return { origin: shelf.origin, file, text: "", unreadable: error.message.replace(`${file} `, "") };
  }
}

/** What the build made of a built-in grimoire, so that its YAML need not be read again. */
function readByBuild(path: string): Grimoire | undefined {
  const text = readText(`${path}.json`, path, undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Grimoire);
}

/** The text of a plain file; undefined when nothing is there. What is there and no file is refused, never passed over. */
function readText(path: string, shown: string, within: string | undefined): string | undefined {
  return explainErrors(path, () => {
    try {
      const stats = statSync(path);
      if (!stats.isFile()) throw notAFile(shown, stats);
      if (stats.size > maxBytes) throw tooLong(shown);
      if (within !== undefined && !isBelow(realpathSync(path), realpathSync(within))) throw leadsOut(shown);
      return decode(readRegular(path, maxBytes), shown);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw (error as NodeJS.ErrnoException).code === "ELOOP" ? leadsOut(shown) : error;
    }
  });
}

/** Without the mark that editors of other systems put before the first letter. */
function decode(bytes: Buffer, shown: string): string {
  try {
    return new TextDecoder("utf8", { fatal: true }).decode(bytes);
  } catch {
    throw new ClewError("invalid_input", `${shown} is not UTF-8 text`, "save it as UTF-8");
  }
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function namesIn(folder: string, extensions: string[]): string[] {
  return explainErrors(folder, () => {
    try {
      return readdirSync(folder)
        .filter((name) => extensions.includes(extname(name)) && isSafeName(basename(name)))
        .sort();
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  });
}

function notAFile(shown: string, stats: Stats): ClewError {
  return new ClewError("invalid_input", `${shown} is ${kindOf(stats)}, not a file`, "put a plain file in its place");
}

function tooLong(shown: string): ClewError {
  return new ClewError("invalid_input", `${shown} is longer than 1 MiB`, "cut it into several files");
}

function leadsOut(shown: string): ClewError {
  return new ClewError(
    "invalid_input",
    `${shown} is a link that leads out of the repository, or nowhere`,
    "put a copy of the file in its place",
  );
}
