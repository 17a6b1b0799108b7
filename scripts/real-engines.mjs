// Runs the tests of `*.engines.test.ts` with the real engines, in a network that has nothing but loopback where possible.
//   npm run test:engines                npm run test:engines -- claude gemini
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { engineNames, installEngine } from "../tools/engines/programs.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const asked = process.argv.slice(2);
const names = engineNames.filter((name) => asked.includes(name));
const rest = asked.filter((word) => !names.includes(/** @type {any} */ (word)));
const chosen = names.length > 0 ? names : engineNames;
for (const name of chosen) await installEngine(name);

const vitest = [process.execPath, "node_modules/vitest/vitest.mjs", "run", "--mode", "engines", ...rest];
const command = [...enclosure(), ...vitest];
const { status } = spawnSync(/** @type {string} */ (command[0]), command.slice(1), {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, CLEW_TEST_ENGINES: chosen.join(",") },
});
process.exitCode = status ?? 1;

/** What goes before a command so that it runs in a network of its own; nothing where the system does not allow it. */
function enclosure() {
  const unshare = ["unshare", ...(process.getuid?.() === 0 ? [] : ["--map-root-user"]), "--net"];
  const inside = [...unshare, "sh", "-c", 'ip link set lo up && exec "$@"', "sh"];
  const works = spawnSync(/** @type {string} */ (inside[0]), [...inside.slice(1), "true"]).status === 0;
  console.log(
    works ? "in a network of its own, with loopback alone" : "in the network of this machine: it gives no other",
  );
  return works ? inside : [];
}
