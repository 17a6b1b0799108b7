import { createRequire } from "node:module";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

const { DatabaseSync } = createRequire(import.meta.url)("@photostructure/sqlite");
const stretch = 4096;

/**
 * The floor of building a search: reads the files of a folder and gives their bytes to FTS5 as they are, in one thread, in stretches of
 * some lines. No words are folded, no secrets looked for, no places kept. Returns how long it took.
 * @param {string[]} folders
 * @param {string} file where the database is made; it is removed afterwards
 */
export function bareSearch(folders, file) {
  const startMs = performance.now();
  const db = new DatabaseSync(file);
  db.exec("PRAGMA journal_mode = WAL");
  db.exec("CREATE VIRTUAL TABLE words USING fts5 (text, content = '', detail = full, tokenize = 'ascii')");
  db.exec("INSERT INTO words (words, rank) VALUES ('hashsize', 4194304)");
  const insert = db.prepare("INSERT INTO words (text) VALUES (?)");
  db.exec("BEGIN");
  for (const folder of folders) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const text = readFileSync(join(entry.parentPath, entry.name), "utf8");
      for (let at = 0; at < text.length; at += stretch) insert.run(text.slice(at, at + stretch));
    }
  }
  db.exec("COMMIT");
  db.close();
  for (const suffix of ["", "-wal", "-shm"]) rmSync(`${file}${suffix}`, { force: true });
  return performance.now() - startMs;
}
