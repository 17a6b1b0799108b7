import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { check } from "recheck";

/** @typedef {{ source: string, flags: string }} Expression */

const cacheFile = "node_modules/.cache/clew/patterns.json";
/**
 * Work is limited by the characters that the checker's own machine reads, never by time: to the checker a match that takes
 * long is an attack that succeeded, and on a busy machine every match takes long.
 */
const limits = { timeout: 120_000, attackTimeout: null, incubationTimeout: null, seedingTimeout: null };
const atOnce = 2;

/** Verdicts hold for as long as checker and expression are the same. @type {Record<string, string>} */
let verdicts = {};
const { version } = JSON.parse(readFileSync("node_modules/recheck/package.json", "utf8"));
try {
  verdicts = JSON.parse(readFileSync(cacheFile, "utf8"));
} catch {
  // The first time, or a file that was cut short: all are judged anew.
}

/**
 * How each expression may behave on hostile text: `safe` in linear time, else in words. Judged once for each.
 * @param {Expression[]} expressions
 * @returns {Promise<(expression: Expression) => string>}
 */
export async function judge(expressions) {
  const waiting = [...new Map(expressions.map((each) => [keyOf(each), each])).values()].filter(
    (each) => verdicts[keyOf(each)] === undefined,
  );
  await Promise.all(Array.from({ length: atOnce }, () => work(waiting)));
  mkdirSync(dirname(cacheFile), { recursive: true });
  writeFileSync(cacheFile, JSON.stringify(verdicts));
  return (expression) => verdicts[keyOf(expression)] ?? "was not judged";
}

/** @param {Expression[]} waiting */
async function work(waiting) {
  for (let each = waiting.shift(); each; each = waiting.shift()) {
    const verdict = await judgeOne(each);
    // What was not decided may be, when the machine has more time.
    if (verdict !== undefined) verdicts[keyOf(each)] = verdict;
  }
}

/** @param {Expression} expression */
async function judgeOne({ source, flags }) {
  const result = await check(source, flags, limits);
  if (result.status === "safe") return "safe";
  if (result.status === "unknown") return undefined;
  const { complexity, attack } = result;
  const grows = complexity.type === "exponential" ? "exponentially" : `with the power of ${complexity.degree}`;
  return `its time grows ${grows}, as on ${attack.pattern}`;
}

/** @param {Expression} expression */
function keyOf({ source, flags }) {
  return `${version} /${source}/${flags}`;
}
