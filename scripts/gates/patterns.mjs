// Checks that every regular expression of src/ takes linear time on any text: one line of dashes in a file that somebody
// else wrote must not hang a command. First it proves that planted expressions are caught.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { patternsOf } from "./patterns/collect.mjs";
import { judge } from "./patterns/judge.mjs";
import { known } from "./patterns/known.mjs";
import { redactionRules } from "./patterns/rules.mjs";
import { withPlanted } from "./planted.mjs";

/** @typedef {import("./patterns/collect.mjs").Pattern} Pattern */

const fewestPatterns = 300;

/** Each line must be objected to. */
const mistakes = [
  String.raw`export const exponential = /^(?:-{3,}\s*)+$/;`,
  String.raw`export const quadratic = /\s+$/;`,
  String.raw`export const called = RegExp("(?:a|a)*b");`,
  'const part = "[^x]*"; export const built = new RegExp(`^${part}${part}${part}x$`);',
  "export const raw = new RegExp(String.raw`^(\\w+\\s?)*$`);",
  "export const unknown = (text: string) => new RegExp(text);",
];

const rules = await redactionRules();
const patterns = sourcesIn(process.cwd()).flatMap((file) => patternsOf(process.cwd(), file));
const planted = await withPlanted({ "src/planted.ts": `${mistakes.join("\n")}\n` }, (folder) =>
  patternsOf(folder, "src/planted.ts"),
);
const samples = known.made.flatMap(({ file, samples: all }) =>
  all.map((source) => ({ file, line: 0, text: `a sample: ${source}`, source, flags: "" })),
);
const checked = [...patterns.filter(({ isRule }) => !isRule), ...rules, ...samples];
const verdictOf = await judge([...checked, ...planted].flatMap(asExpression));

let problems = 0;
for (const pattern of checked) {
  const problem = problemOf(pattern);
  if (problem !== undefined && !known.accepted.some((entry) => isEntry(pattern, entry))) report(pattern, problem);
}
for (const entry of known.made) {
  if (!checked.some((each) => isEntry(each, entry))) report({ ...entry, line: 0 }, "known.mjs: is no longer there");
}
for (const entry of known.accepted) {
  if (!checked.some((each) => isEntry(each, entry) && problemOf(each) !== undefined)) {
    report({ ...entry, line: 0 }, "known.mjs: is no longer there, or the checker no longer objects");
  }
}

const missed = mistakes.filter(
  (_, index) => !planted.some((each) => each.line === index + 1 && problemOf(each) !== undefined),
);
for (const line of missed) console.log(`the planted mistake was not caught: ${line}`);
if (patterns.length < fewestPatterns) console.log("too few expressions were seen: the sources were not read");

console.log(
  `${patterns.length} expressions and ${rules.length} rules, ${problems} problems; ` +
    `${mistakes.length - missed.length} of ${mistakes.length} planted mistakes caught`,
);
process.exitCode = problems === 0 && missed.length === 0 && patterns.length >= fewestPatterns ? 0 : 1;

/** The program's own files, without what only tests read. @param {string} root */
function sourcesIn(root) {
  return readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .map((file) => `src/${file.replaceAll("\\", "/")}`)
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !file.includes("/fixtures/"))
    .sort();
}

/** @param {{ source?: string, flags: string }} pattern */
function asExpression({ source, flags }) {
  return source === undefined ? [] : [{ source, flags }];
}

/**
 * Why this expression must not stay; undefined when it may.
 * @param {Pattern} pattern
 */
function problemOf({ file, text, source, flags }) {
  if (source !== undefined) {
    const verdict = verdictOf({ source, flags });
    return verdict === "safe" ? undefined : verdict;
  }
  if (known.made.some((entry) => isEntry({ file, text }, entry))) return undefined;
  return "is made while the program runs: write it of constants, or add it to patterns/known.mjs with samples";
}

/**
 * @param {{ file: string, text: string }} pattern
 * @param {{ file: string, text: string }} entry
 */
function isEntry(pattern, entry) {
  return pattern.file === entry.file && pattern.text === entry.text;
}

/**
 * @param {{ file: string, line: number, text: string, source?: string }} pattern
 * @param {string} problem
 */
function report({ file, line, text, source }, problem) {
  problems += 1;
  console.log(`${file}${line > 0 ? `:${line}` : ""}: ${text}\n    ${source ?? ""}\n    ${problem}`);
}
