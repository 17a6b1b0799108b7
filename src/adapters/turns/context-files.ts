import { constants, realpathSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { ContextFiles, FoundFile } from "../../app/turn/ports.ts";
import { ClewError } from "../../contract/errors.ts";
import { pathRefusal } from "../../turn/context/context-list.ts";
import { isBelow } from "../files/bounds.ts";
import type { Disk } from "../files/disk.ts";
import { isMissing } from "../files/failure.ts";
import { limits } from "../files/limits.ts";
import { readAll, withRegular } from "../files/regular-file.ts";
import { UnreadableFile } from "../files/unreadable-file.ts";
import type { Git } from "../git/git.ts";
import type { Layout } from "../layout.ts";
import { turnPaths } from "../layout/turn-paths.ts";

/** A longer file is of no use to a model, and would fill its context. */
const maxShownBytes = 1024 * 1024;

/** Git is asked for the files of so many folders; with more it is asked for all files. */
const maxFolders = 100;

const emptyList = `# Files that the agents of this session are shown, in every turn: one path or pattern a line, below the repository's root.
# src/**/*.ts and {a,b}.md are patterns; !path takes out what .clew/global.context or a line above brought in.
`;

interface Parts {
  disk: Disk;
  layout: Layout;
  commonDir: string;
  git: Pick<Git, "knownFiles">;
}

export function contextFiles({ disk, layout, commonDir, git }: Parts): ContextFiles {
  const { root } = layout;
  // Logs of earlier turns hold all that was shown then: a pattern that meant them would double the context with each turn.
  const ownFolder = `${relative(root, layout.sessions).split(sep).join("/")}/`;
  const textAt = (path: string): string | undefined => disk.read(path, limits.settings)?.toString("utf8");
  return {
    globalList: () => textAt(turnPaths.globalContext(root)),
    sessionList: (session) => textAt(turnPaths.sessionContext(layout, session)),
    makeSessionList: (session) =>
      void disk.create(turnPaths.sessionContext(layout, session), Buffer.from(emptyList), 0o644),
    memos: () => textAt(turnPaths.memos(root)),
    filesIn(folders) {
      const places = folders.length <= maxFolders && folders.every(isBelowRoot) ? folders : [];
      const known = git.knownFiles(places)?.filter((path) => !path.startsWith(ownFolder));
      if (known) return known;
      throw new ClewError(
        "not_available",
        "git cannot tell which files there are, and a context list has a pattern",
        "git -C . ls-files shows what is wrong; paths without patterns need no git",
      );
    },
    look(path) {
      const refusal = pathRefusal(path);
      return refusal === undefined ? lookAt(join(root, path), root, commonDir) : omitted(refusal);
    },
  };
}

function isBelowRoot(folder: string): boolean {
  return folder !== "" && !folder.startsWith("/") && pathRefusal(folder) === undefined;
}

function lookAt(path: string, root: string, commonDir: string): FoundFile {
  try {
    const target = realpathSync(path);
    if (!isInside(target, realpathSync(root), realpathSync(commonDir))) return omitted("leads out of the repository");
    // The very file that was checked: no link is followed any more.
    return withRegular(target, constants.O_RDONLY | constants.O_NOFOLLOW, 0, (fd, stats) => {
      const bytes = Number(stats.size);
      if (bytes > maxShownBytes) return { kind: "omitted", reason: "too large", bytes };
      return readableText(readAll(fd, stats, path, maxShownBytes));
    });
  } catch (error) {
    if (isMissing(error)) return { kind: "missing" };
    if (error instanceof UnreadableFile) return omitted(error.reason);
    if (error instanceof ClewError) return omitted(error.code === "no_permission" ? "may not be read" : error.message);
    if ((error as NodeJS.ErrnoException).code === "ELOOP") return omitted("is a link that leads to itself");
    throw error;
  }
}

/** Below the root, and nothing of git's: neither its folder nor that of a repository inside. */
function isInside(target: string, root: string, commonDir: string): boolean {
  if (!isBelow(target, root) || target === commonDir || isBelow(target, commonDir)) return false;
  return !relative(root, target)
    .split(sep)
    .some((part) => part.toLowerCase() === ".git");
}

/** A text with a NUL, or one that is no UTF-8, is none that a model can read. */
function readableText(content: Buffer): FoundFile {
  const bytes = content.length;
  if (content.includes(0)) return { kind: "omitted", reason: "binary", bytes };
  try {
    return { kind: "text", text: new TextDecoder("utf8", { fatal: true, ignoreBOM: true }).decode(content), bytes };
  } catch {
    return { kind: "omitted", reason: "no UTF-8 text", bytes };
  }
}

function omitted(reason: string): FoundFile {
  return { kind: "omitted", reason, bytes: 0 };
}
