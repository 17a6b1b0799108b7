import { writeFileSync } from "node:fs";
import { ClewError } from "../contract/errors.ts";

/** Writes what a command puts into a file. Throws when that is there already. */
export function writeNewFile(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: "wx" });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === "EEXIST" ? `${file} is there already` : `cannot write ${file}: ${message}`;
    throw new ClewError("invalid_input", why, "name a file that is not there, in a folder that is", { cause: error });
  }
}
