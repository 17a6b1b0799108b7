import { readdirSync, realpathSync, statSync, type Stats } from "node:fs";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import type { DefinitionFile, DefinitionFiles, Origin } from "../../app/grimoire/ports.ts";
import type { Grimoire } from "../../contract/grimoire.ts";
import { ClewError } from "../../contract/errors.ts";
import { isWorkflow } from "../../grimoire/markup/workflow-file.ts";
import { rootPaths } from "../layout.ts";
import { programPaths } from "../layout/program-paths.ts";
import { isBelow } from "./bounds.ts";
import { explainErrors, isMissing } from "./failure.ts";
import { limits } from "./limits.ts";
import { describeKind, readRegular } from "./regular-file.ts";

const maxBytes = limits.settings;
const grimoireEndings = [".yaml", ".yml", ".md"];

interface DefinitionFolder {
  origin: Origin;
  folder: string;
  /** Stands before a file's name in messages. */
  displayPrefix: string;
  /** Links must not lead out of this folder; undefined for the program's own files. */
  within: string | undefined;
}

export interface DefinitionPlaces {
  cwd: string;
  /** The main checkout; undefined outside a repository, which has only the built-in definitions. */
  root: string | undefined;
  builtins: string;
  /** No file is read by its path. */
  byNameOnly: boolean;
}

export function definitionFiles({ cwd, root, builtins, byNameOnly }: DefinitionPlaces): DefinitionFiles {
  const foldersOf = (kind: "grimoires" | "spells"): DefinitionFolder[] => {
    const displayPrefix = `built-in/${kind}/`;
    const builtIn = {
      origin: "built-in",
      folder: programPaths.definitions(builtins, kind),
      displayPrefix,
      within: undefined,
    } as const;
    if (root === undefined) return [builtIn];
    const folder = rootPaths[kind](root);
    return [{ origin: "repository", folder, displayPrefix: `${rootPaths[kind]("")}/`, within: root }, builtIn];
  };

  const agents: DefinitionFolder | undefined =
    root === undefined
      ? undefined
      : {
          origin: "repository",
          folder: rootPaths.agents(root),
          displayPrefix: `${rootPaths.agents("")}/`,
          within: root,
        };

  const planningAgents: DefinitionFolder[] = [
    ...(agents ? [agents] : []),
    {
      origin: "built-in",
      folder: programPaths.definitions(builtins, "agents"),
      displayPrefix: "built-in/agents/",
      within: undefined,
    },
  ];

  const readAt = (full: string, path: string): DefinitionFile | undefined => {
    if (byNameOnly)
      throw new ClewError("leads_outside", `${path} is a path`, "name it: clew grimoire list shows names");
    const text = readText(full, path, undefined);
    const relativePath = root === undefined ? undefined : relative(root, full);
    const file = relativePath === undefined || relativePath.startsWith("..") ? path : relativePath;
    return text === undefined ? undefined : { origin: "file", file, text };
  };

  return {
    grimoires: () =>
      foldersOf("grimoires").flatMap((folder) =>
        namesIn(folder.folder, grimoireEndings)
          .flatMap((name) => readOrReport(folder, name) ?? [])
          // A folder may have its README.
          .filter(({ file, text }) => !file.endsWith(".md") || isWorkflow(text)),
      ),

    spell(name) {
      if (!isSafeName(name)) return undefined;
      for (const folder of foldersOf("spells")) {
        const spell = readOrReport(folder, name);
        if (spell) return spell;
      }
      return undefined;
    },

    spellNames: () => [...new Set(foldersOf("spells").flatMap(({ folder }) => namesIn(folder, [".md"])))],

    agent: (name) => (agents && isSafeName(name) ? readOrReport(agents, `${name}.md`) : undefined),

    agentNames: () => (agents ? namesIn(agents.folder, [".md"]).map((name) => name.slice(0, -".md".length)) : []),

    planningAgent(name) {
      if (!isSafeName(name)) return undefined;
      for (const folder of planningAgents) {
        const file = readOrReport(folder, `${name}.md`);
        if (file) return file;
      }
      return undefined;
    },

    planningAgentNames: () => [
      ...new Set(
        planningAgents.flatMap(({ folder }) => namesIn(folder, [".md"]).map((name) => name.slice(0, -".md".length))),
      ),
    ],

    atPath: (path) => readAt(resolve(cwd, path), path),

    besidePath: (path) =>
      byNameOnly ? [] : namesIn(dirname(resolve(cwd, path)), grimoireEndings).map((name) => join(dirname(path), name)),

    byDisplayName: (file) => readAt(resolve(root ?? cwd, file), file),
  };
}

/** A name that stays below its folder. */
function isSafeName(name: string): boolean {
  return name.split("/").every((part) => /^[\p{L}\p{N}_][\p{L}\p{N}_. -]*$/u.test(part));
}

/** A file that cannot be read is returned with the reason: it must not hide the others. */
function readOrReport(folder: DefinitionFolder, name: string): DefinitionFile | undefined {
  const { origin, displayPrefix, within } = folder;
  const path = join(folder.folder, name);
  const file = displayPrefix + name;
  try {
    const text = readText(path, file, within);
    if (text === undefined) return undefined;
    return { origin, file, text, ...(origin === "built-in" && { readByBuild: () => readByBuild(path) }) };
  } catch (error) {
    if (!(error instanceof ClewError)) throw error;
    return { origin, file, text: "", unreadable: error.message.replace(`${file} `, "") };
  }
}

/** A built-in grimoire as the build parsed it, so that its YAML need not be parsed again. */
function readByBuild(path: string): Grimoire | undefined {
  const text = readText(programPaths.parsedGrimoire(path), path, undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Grimoire);
}

/** The text of a plain file; undefined when it is missing. Throws for anything else of that name, such as a folder. */
function readText(path: string, displayPath: string, within: string | undefined): string | undefined {
  return explainErrors(path, () => {
    try {
      const stats = statSync(path);
      if (!stats.isFile()) throw notAFile(displayPath, stats);
      if (stats.size > maxBytes) throw tooLong(displayPath);
      if (within !== undefined && !isBelow(realpathSync(path), realpathSync(within))) throw leadsOut(displayPath);
      return decode(readRegular(path, maxBytes), displayPath);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw (error as NodeJS.ErrnoException).code === "ELOOP" ? leadsOut(displayPath) : error;
    }
  });
}

/** Drops the byte order mark that some editors write. */
function decode(bytes: Buffer, displayPath: string): string {
  try {
    return new TextDecoder("utf8", { fatal: true }).decode(bytes);
  } catch {
    throw new ClewError("invalid_input", `${displayPath} is not UTF-8 text`, "save it as UTF-8");
  }
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

function notAFile(displayPath: string, stats: Stats): ClewError {
  return new ClewError(
    "invalid_input",
    `${displayPath} is ${describeKind(stats)}, not a file`,
    stats.isDirectory() ? "name a file in it" : "put a plain file in its place",
  );
}

function tooLong(displayPath: string): ClewError {
  return new ClewError("invalid_input", `${displayPath} is longer than 1 MiB`, "cut it into several files");
}

function leadsOut(displayPath: string): ClewError {
  return new ClewError(
    "invalid_input",
    `${displayPath} is a link that leads out of the repository, or nowhere`,
    "put a copy of the file in its place",
  );
}
