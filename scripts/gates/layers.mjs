// Checks which room imports which (.dependency-cruiser.cjs), after proving that the rules catch planted mistakes: a checker that
// cannot read the sources finds no modules and is content.
import { resolve } from "node:path";
import { cruise } from "dependency-cruiser";
import extractDepcruiseOptions from "dependency-cruiser/config-utl/extract-depcruise-options";
import extractTsConfig from "dependency-cruiser/config-utl/extract-ts-config";
import { withPlanted } from "./planted.mjs";

const fewestModules = 20;

/**
 * The rule that must object, and the files that give it a reason to.
 * @type {Array<[string, Record<string, string>]>}
 */
const mistakes = [
  ["room-session", { "src/session/a.ts": 'import "../app/b.ts";', "src/app/b.ts": "" }],
  ["room-redact", { "src/redact/a.ts": 'import type { B } from "../run/b.ts";', "src/run/b.ts": "export type B = 1;" }],
  ["room-cli", { "src/cli/a.ts": 'void import("../adapters/b.ts");', "src/adapters/b.ts": "" }],
  ["room-mcp", { "src/mcp/a.ts": 'import "../adapters/b.ts";', "src/adapters/b.ts": "" }],
  ["room-contract", { "src/contract/a.ts": 'export * from "../run/b.ts";', "src/run/b.ts": "export const b = 1;" }],
  ["known-room", { "src/cellar/a.ts": 'import "../contract/b.ts";', "src/contract/b.ts": "" }],
  ["pure-no-builtins", { "src/learn/a.ts": 'import { readFile } from "node:fs/promises";\nawait readFile("x");' }],
  ["pure-no-builtins", { "src/redact/a.ts": 'import "node:process";' }],
  ["contract-packages", { "src/contract/a.ts": 'import "node:zlib";' }],
  ["client-in-a-browser", { "src/client/a.ts": 'import "node:http";' }],
  [
    "client-without-sockets",
    { "src/client/a.ts": 'import "./socket-transport.ts";', "src/client/socket-transport.ts": "" },
  ],
  ["program-not-to-tests", { "src/app/a.ts": 'import "./b.test.ts";', "src/app/b.test.ts": "" }],
  ["no-cycles", { "src/bead/a.ts": 'import "./b.ts";', "src/bead/b.ts": 'import "./a.ts";' }],
  ["resolvable", { "src/turn/a.ts": 'import "./nowhere.ts";' }],
];

const options = await extractDepcruiseOptions(resolve(".dependency-cruiser.cjs"));
const tsConfig = extractTsConfig(resolve("tsconfig.json"));
const comments = new Map(options.ruleSet?.forbidden?.map((rule) => [rule.name, rule.comment]));

let caught = 0;
for (const [rule, files] of mistakes) {
  const { violations } = await withPlanted(files, cruiseFolder);
  if (violations.some((violation) => violation.rule.name === rule)) caught += 1;
  else console.log(`the planted mistake for ${rule} was not caught`);
}

const { violations, modules } = await cruiseFolder(process.cwd());
for (const { rule, from, to } of violations) {
  console.log(`${rule.name}: ${from} → ${to}\n    ${comments.get(rule.name)}`);
}
const seen = modules.filter((module) => module.source.startsWith("src/")).length;
if (seen <= fewestModules) console.log("too few modules of src/ were seen: the sources were not read");

console.log(
  `${seen} modules, ${violations.length} violations; ${caught} of ${mistakes.length} planted mistakes caught`,
);
process.exitCode = violations.length === 0 && caught === mistakes.length && seen > fewestModules ? 0 : 1;

/** @param {string} folder */
async function cruiseFolder(folder) {
  const { output } = await cruise(["src"], { ...options, baseDir: folder }, {}, { tsConfig });
  if (typeof output === "string") throw new Error("dependency-cruiser gave text instead of a result");
  return { modules: output.modules, violations: output.summary.violations };
}
