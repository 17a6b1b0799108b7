import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "rolldown";
import config from "../../rolldown.config.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Builds the parts of the program that the bench calls directly, the way the program is built.
 * @param {import("./place.mjs").Place} place
 * @returns {Promise<{ file: string, parts: typeof import("../parts.ts") }>}
 */
export async function buildParts(place) {
  const dir = place.folder("parts");
  // The native SQLite binding is a package and stays where it is.
  symlinkSync(join(root, "node_modules"), join(dir, "node_modules"));
  const output = Array.isArray(config.output) ? config.output[0] : config.output;
  await build({
    ...config,
    cwd: root,
    input: { parts: join(root, "bench", "parts.ts") },
    output: { ...output, entryFileNames: "[name].cjs", dir },
  });
  const file = join(dir, "parts.cjs");
  return { file, parts: await import(pathToFileURL(file).href) };
}
