// Installs the engines that are asked for, or all, and says where their programs are.
//   node tools/engines/install.mjs claude gemini
import { engineNames, installEngine } from "./programs.mjs";

const asked = process.argv.slice(2);
for (const name of asked.length > 0 ? asked : engineNames) console.log(`${name}\t${await installEngine(name)}`);
