// Reads a long plan, and edits long files, over and over, and prints the times in milliseconds.
//   node turns.mjs PARTS-FILE ROUNDS
import { pathToFileURL } from "node:url";

const [partsFile = "", rounds = ""] = process.argv.slice(2);
/** @type {typeof import("../parts.ts")} */
const { applyAction, Overlay, readPlan } = await import(pathToFileURL(partsFile).href);

const plan = longPlan(500);
/** Everything that `plan --check` does with the text. */
function check() {
  const read = readPlan(plan);
  if (read.plan?.actions.length !== 500) throw new Error(JSON.stringify(read.problems[0]));
}

const [firstMs = 0, ...checkMs] = times(Number(rounds) + 1, check);
const half = fileOf(25_000);
const whole = fileOf(50_000);
// In turns, so that a busy machine favours neither.
const editMs = { half: /** @type {number[]} */ ([]), whole: /** @type {number[]} */ ([]) };
for (let round = 0; round <= Number(rounds); round++) {
  const [halfMs = 0] = times(1, () => edit(half, 25_000));
  const [wholeMs = 0] = times(1, () => edit(whole, 50_000));
  if (round === 0) continue;
  editMs.half.push(halfMs);
  editMs.whole.push(wholeMs);
}
process.stdout.write(JSON.stringify({ firstMs, checkMs, editMs }));

/** @param {number} actions */
function longPlan(actions) {
  const text = ["# A long plan", "- **Agent:** dev", "", "## Rationale", "~~~~~~", "Why.", "~~~~~~", ""];
  text.push("## Context Vault", "~~~~~~", "README.md", "~~~~~~", "", "## Action Plan");
  const code = Array.from({ length: 20 }, (_, at) => `  const value${at} = compute(${at}); // \`\`\`js`);
  for (let at = 0; at < actions; at++) {
    const path = `- **File Path:** [src/file-${at}.ts](/src/file-${at}.ts)`;
    if (at % 5 === 4) text.push("", "### `EXECUTE`", "- **Expected Outcome:** ok", "~~~~~~shell", "npm test", "~~~~~~");
    else if (at % 5 === 3) {
      text.push("", "### `EDIT`", path, "#### `FIND:`", "~~~~~~", ...code, "~~~~~~");
      text.push("#### `REPLACE:`", "~~~~~~", ...code, "~~~~~~");
    } else text.push("", "### `CREATE`", path, "- **Description:** a file", "~~~~~~", ...code, "~~~~~~");
  }
  return `${text.join("\n")}\n`;
}

/** @param {number} lines */
function fileOf(lines) {
  return Array.from({ length: lines }, (_, at) => `export const line${at} = "the value of line ${at}";\n`).join("");
}

/**
 * 200 edits of two lines each, all over the file.
 * @param {string} text
 * @param {number} lines
 */
function edit(text, lines) {
  const edits = Array.from({ length: 200 }, (_, index) => {
    const at = Math.floor((lines / 200) * index) + 1;
    const find = `const line${at} = "the value of line ${at}";\nexport const line${at + 1} =`;
    return { find, replace: `${find} /* changed */`, line: 1 };
  });
  const action = {
    type: /** @type {const} */ ("EDIT"),
    path: "a.ts",
    edits,
    line: 1,
    description: "",
    may_fail: false,
  };
  const outcome = applyAction(new Overlay(() => text), action);
  if (!("edit" in outcome)) throw new Error(JSON.stringify(outcome.refusals[0]));
}

/**
 * @param {number} count
 * @param {() => void} work
 */
function times(count, work) {
  return Array.from({ length: count }, () => {
    const startMs = performance.now();
    work();
    return performance.now() - startMs;
  });
}
