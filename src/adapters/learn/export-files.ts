import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { ClewError } from "../../contract/errors.ts";
import { explainFailure } from "../files/failure.ts";
import { makeParents } from "./parent-folders.ts";
import { removeLeft } from "./remove-left.ts";
import type { ExportFile, ExportFiles, ExportFolder } from "../../app/learn/ports.ts";

/** So much is written at once. */
const bufferedBytes = 1 << 18;
const encoder = new TextEncoder();

/** Files and folders that a person asked for. Each is written aside, and gets its name when it is whole. */
export const exportFiles: ExportFiles = { newFile, newFolder };

function newFile(path: string): ExportFile {
  refuseExisting(path);
  const removeParents = explained(path, () => makeParents(path));
  const aside = asideOf(path);
  let descriptor: number | undefined = explained(path, () => openSync(aside, "wx"));
  const buffer = Buffer.allocUnsafe(bufferedBytes);
  let used = 0;
  const flush = (): void => {
    for (let at = 0; at < used;) at += writeSync(descriptor!, buffer, at, used - at);
    used = 0;
  };
  const end = (): void => {
    if (descriptor !== undefined) closeSync(descriptor);
    descriptor = undefined;
  };
  return {
    write(text) {
      for (let at = 0; at < text.length;) {
        const { read, written } = encoder.encodeInto(at === 0 ? text : text.slice(at), buffer.subarray(used));
        at += read;
        used += written;
        if (at < text.length) explained(path, flush);
      }
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
      removeParents();
    },
  };
}

function newFolder(path: string): ExportFolder {
  refuseExisting(path);
  const removeParents = explained(path, () => makeParents(path));
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
    copy(from, to) {
      const file = join(aside, to);
      explained(path, () => {
        mkdirSync(dirname(file), { recursive: true });
        copyFileSync(join(aside, from), file, constants.COPYFILE_FICLONE);
      });
    },
    bytes: (name) => bytesBelow(join(aside, name)),
    remove: (name) => rmSync(join(aside, name), { recursive: true, force: true }),
    close() {
      refuseExisting(path);
      explained(path, () => renameSync(aside, path));
    },
    discard() {
      rmSync(aside, { recursive: true, force: true });
      removeParents();
    },
  };
}

function bytesBelow(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  return files.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0);
}

/** Where it is written until it is whole. What killed exports to the same place left behind goes. */
function asideOf(path: string): string {
  removeLeft(dirname(path), `${basename(path)}.`, ".part");
  return `${path}.${process.pid}-${randomBytes(4).toString("hex")}.part`;
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
    const known = explainFailure(error, path);
    if (known !== error) throw known;
    throw new ClewError(
      "invalid_input",
      `cannot write ${path}: ${(error as Error).message}`,
      "name a file that is not there",
      { cause: error },
    );
  }
}
