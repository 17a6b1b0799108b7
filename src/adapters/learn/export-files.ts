import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { ClewError } from "../../contract/errors.ts";
import type { ExportFile, ExportFiles, ExportFolder } from "../../app/learn/ports.ts";

/** So much text is written at once. */
const bufferedChars = 1 << 20;

/** Files and folders that a person asked for. Each is written aside, and gets its name when it is whole. */
export const exportFiles: ExportFiles = { newFile, newFolder };

function newFile(path: string): ExportFile {
  refuseExisting(path);
  const aside = asideOf(path);
  let descriptor: number | undefined = explained(path, () => openSync(aside, "wx"));
  let pending: string[] = [];
  let length = 0;
  const flush = (): void => {
    const bytes = Buffer.from(pending.join(""));
    for (let at = 0; at < bytes.length;) at += writeSync(descriptor!, bytes, at);
    [pending, length] = [[], 0];
  };
  const end = (): void => {
    if (descriptor !== undefined) closeSync(descriptor);
    descriptor = undefined;
  };
  return {
    write(text) {
      pending.push(text);
      length += text.length;
      if (length > bufferedChars) explained(path, flush);
    },
    close() {
      explained(path, () => {
        flush();
        fsyncSync(descriptor!);
        end();
        // Unlike a rename, this never takes the place of a file that came meanwhile.
        linkSync(aside, path);
        unlinkSync(aside);
      });
    },
    discard() {
      end();
      rmSync(aside, { force: true });
    },
  };
}

function newFolder(path: string): ExportFolder {
  refuseExisting(path);
  const aside = asideOf(path);
  explained(path, () => mkdirSync(aside));
  return {
    place: aside,
    write(name, text, { executable } = { executable: false }) {
      const file = join(aside, name);
      explained(path, () => {
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text, { mode: executable ? 0o755 : 0o644 });
      });
    },
    remove: (name) => rmSync(join(aside, name), { recursive: true, force: true }),
    close() {
      refuseExisting(path);
      explained(path, () => renameSync(aside, path));
    },
    discard: () => rmSync(aside, { recursive: true, force: true }),
  };
}

function asideOf(path: string): string {
  return `${path}.${randomBytes(4).toString("hex")}.part`;
}

function refuseExisting(path: string): void {
  if (!existsSync(path) && !isLink(path)) return;
  throw new ClewError("invalid_input", `${path} is there already`, "name a file or folder that is not there");
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function explained<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOSPC" || code === "EDQUOT")
      throw new ClewError(
        "disk_full",
        `no room on disk for ${path} (${code})`,
        "free some space, then repeat the command",
        {
          cause: error,
        },
      );
    throw new ClewError(
      "invalid_input",
      `cannot write ${path}: ${message}`,
      "name a file that is not there, in a folder that is",
      {
        cause: error,
      },
    );
  }
}
