// Runs the files again that failed in the last `npm test`, `npm run test:long` or `npm run test:engines` (whose engines are named again: `-- claude`),
// one after the other, with nothing beside them. Passes only when all of them pass now; a file that does is named, because what it tests is a race that is still to be mended. More than a few are
// never a race: then nothing is run.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { readFailedFiles } from "./vitest/failed-files.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const mostFiles = 3;

const failed = readFailedFiles();
if (!failed) {
  console.error("no file of tests failed in the last run: what failed is above");
  process.exit(1);
}
if (failed.files.length > mostFiles) {
  console.error(`${failed.files.length} files of tests failed: too many for a race, so they are not run again`);
  process.exit(1);
}
const broken = failed.files.filter((file) => {
  console.log(`\nonce more, alone: ${file}`);
  const words =
    failed.mode === "engines"
      ? ["scripts/real-engines.mjs", ...process.argv.slice(2), file]
      : ["node_modules/vitest/vitest.mjs", "run", "--mode", failed.mode, "--maxWorkers", "1", file];
  return spawnSync(process.execPath, words, { cwd: root, stdio: "inherit" }).status !== 0;
});
for (const file of failed.files)
  console.log(`${file}: failed in the whole run, ${broken.includes(file) ? "and again" : "passed"} alone`);
process.exitCode = broken.length === 0 ? 0 : 1;
