// The real engines at the versions that the tests know: each is installed when it is asked for, once.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPackages, whyInstall } from "../../scripts/lib/packages.mjs";
import { withLock } from "../../scripts/lib/lock.mjs";

/** How much each brings, in MB. One folder and one lock file each, so that one engine comes without the others. */
const sizes = { claude: 350, codex: 440, gemini: 100, opencode: 350, qwen: 140 };

export const engineNames = Object.keys(sizes);

/**
 * @param {string} name
 * @returns {Promise<string>} the path of its program
 */
export async function installEngine(name) {
  if (!engineNames.includes(name)) {
    throw new Error(`there is no engine "${name}" in tools/engines; there are ${engineNames.join(", ")}`);
  }
  const folder = fileURLToPath(new URL(name, import.meta.url));
  if (whyInstall(folder)) {
    await withLock(folder, async (noteChild) => {
      if (!whyInstall(folder)) return;
      process.stderr.write(`installing ${name} into tools/engines/${name} (about ${sizes[name]} MB, once)…\n`);
      await installPackages(folder, noteChild, "install");
    });
  }
  return join(folder, "node_modules/.bin", name);
}
