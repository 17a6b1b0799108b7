import { accessSync, constants, linkSync, lstatSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { ClewError } from "../contract/errors.ts";

/**
 * Writes what a command puts into a file, which has its name only when it is whole, and makes the folders that it stands in.
 * Throws when the file is there already.
 */
export function writeNewFile(cwd: string, file: string, text: string): void {
  refuseUnwritable(cwd, file);
  const path = resolve(cwd, file);
  const aside = `${path}.${process.pid}.part`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(aside, text, { flush: true });
    // Unlike a rename, this never takes the place of a file that came meanwhile.
    linkSync(aside, path);
  } catch (error) {
    throw refusal(file, error as NodeJS.ErrnoException);
  } finally {
    rmSync(aside, { force: true });
  }
}

/** Throws when a file is there already, or cannot be written, before work is done for it. Writes nothing. */
export function refuseUnwritable(cwd: string, file: string): void {
  const path = resolve(cwd, file);
  try {
    if (lstatSync(path, { throwIfNoEntry: false })) throw refusal(file, { code: "EEXIST" });
    let folder = dirname(path);
    while (!lstatSync(folder, { throwIfNoEntry: false }) && dirname(folder) !== folder) folder = dirname(folder);
    if (!statSync(folder).isDirectory()) throw refusal(file, { message: `${folder} is no folder` });
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw error instanceof ClewError ? error : refusal(file, error as NodeJS.ErrnoException);
  }
}

function refusal(file: string, error: Partial<NodeJS.ErrnoException>): ClewError {
  const why = error.code === "EEXIST" ? `${file} is there already` : `cannot write ${file}: ${error.message}`;
  return new ClewError("invalid_input", why, "name a file that is not there", { cause: error });
}
