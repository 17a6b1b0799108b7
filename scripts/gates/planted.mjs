import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/**
 * Gives `use` a throw-away folder with these files, so that a gate can prove that it catches what it should.
 * @template T
 * @param {Record<string, string>} files
 * @param {(folder: string) => Promise<T> | T} use
 * @returns {Promise<T>}
 */
export async function withPlanted(files, use) {
  const folder = mkdtempSync(join(tmpdir(), "clew-planted-"));
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
