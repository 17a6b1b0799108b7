import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { ClewError } from "../contract/errors.ts";
import { writeNewFile } from "./write-new-file.ts";

/** So many texts are kept beside one file. */
const mostBeside = 20;

/** Keeps a text that cost work and was not saved to its file: beside that, or else in a folder for it alone. Returns where. */
export function keepBeside(cwd: string, file: string, text: string): string {
  for (let number = 1; number <= mostBeside; number++) {
    const kept = `${file}.rejected${number === 1 ? "" : `-${number}`}`;
    try {
      writeNewFile(cwd, kept, text);
      return kept;
    } catch (error) {
      if (!(error instanceof ClewError)) throw error;
    }
  }
  return keepAside(resolve(cwd, file).replace(/^.*\//, ""), text);
}

/** Keeps a text in a folder for it alone, which only its user can read. Returns where. */
export function keepAside(name: string, text: string): string {
  const kept = join(mkdtempSync(join(tmpdir(), "clew-kept-")), name);
  writeFileSync(kept, text, { mode: 0o600, flush: true });
  return kept;
}
