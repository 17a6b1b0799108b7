// Lets a program, of today or of an earlier commit, write what becomes a fixture: test/fixtures/README.md tells of all.
//   node scripts/make-fixtures.mjs SCENE FOLDER [PROGRAM]
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { collect } from "./fixtures/collect.mjs";
import * as runScenes from "./fixtures/run-scenes.mjs";
import * as sessionScenes from "./fixtures/session-scenes.mjs";
import { Scratch } from "./fixtures/scratch.mjs";

/** @type {Record<string, (scratch: Scratch) => void | Promise<void>>} */
const scenes = { ...runScenes, ...sessionScenes };
const [name = "", folder, program = fileURLToPath(new URL("../dist/clew.cjs", import.meta.url))] =
  process.argv.slice(2);
const scene = scenes[name];
if (!scene || folder === undefined) {
  console.error(
    `usage: node scripts/make-fixtures.mjs SCENE FOLDER [PROGRAM]\nscenes: ${Object.keys(scenes).join(", ")}`,
  );
  process.exit(2);
}

const scratch = new Scratch(resolve(program));
try {
  await scene(scratch);
  collect(scratch, resolve(folder));
} finally {
  scratch.remove();
}
