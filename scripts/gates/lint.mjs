// Lints, after proving that the linter with our configuration catches planted mistakes: without its type-aware half it
// would pass over an unawaited append in silence.
import { spawnSync } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { withPlanted } from "./planted.mjs";

/**
 * The rule that must object, and a line for src/session/ that gives it a reason to.
 * @type {Array<[string, string]>}
 */
const mistakes = [
  ["typescript(no-floating-promises)", "export const drop = () => { append(); };"],
  ["typescript(no-misused-promises)", "export const each = () => [1].forEach(async () => append());"],
  ["typescript(await-thenable)", "export const wait = async () => { await 1; };"],
  ["eslint(no-restricted-properties)", "export const now = () => Date.now();"],
  ["eslint(no-restricted-properties)", "export const dice = () => Math.random();"],
  ["eslint(no-restricted-globals)", "export const home = () => process.env.HOME;"],
  ["clew(no-clock)", "export const today = () => new Date();"],
];
const config = JSON.parse(readFileSync(".oxlintrc.json", "utf8"));
config.jsPlugins = config.jsPlugins.map((/** @type {string} */ path) => resolve(path));

const source = ["declare function append(): Promise<void>;", ...mistakes.map(([, line]) => line)];
const planted = {
  ".oxlintrc.json": JSON.stringify(config),
  "tsconfig.json": readFileSync("tsconfig.json", "utf8"),
  "src/session/planted.ts": `${source.join("\n")}\n`,
};
const findings = await withPlanted(planted, (folder) => {
  // The linter looks for its type-aware half in the folder that it lints.
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  return oxlint(folder, ["--format=unix"]).stdout.split("\n");
});
const missed = mistakes.filter(([rule], index) => {
  const place = `planted.ts:${index + 2}:`;
  return !findings.some((finding) => finding.includes(place) && finding.includes(rule));
});
for (const [rule, line] of missed) console.log(`the planted mistake for ${rule} was not caught: ${line}`);

const { status, stdout, stderr } = oxlint(process.cwd(), []);
console.log(`${stdout}${stderr}`.trim());
console.log(`${mistakes.length - missed.length} of ${mistakes.length} planted mistakes caught`);
process.exitCode = status === 0 && missed.length === 0 ? 0 : 1;

/**
 * @param {string} cwd
 * @param {string[]} args
 */
function oxlint(cwd, args) {
  return spawnSync(resolve("node_modules/.bin/oxlint"), args, { cwd, encoding: "utf8" });
}
