import { pick } from "./random.mjs";

/** @typedef {import("../../src/contract/session.ts").LogEntry} LogEntry */

/** Words that the text has nowhere else, and in one of how many entries each stands. */
export const planted = { frequent: "quozvex", rare: "zyxphor", lone: "xuqwazim" };
const frequentEvery = 100;
const rareEvery = 10_000;

const tools = ["Read", "Edit", "Bash", "Grep", "Write", "WebFetch"];
const folders = ["src/app", "src/server/routes", "lib", "test/e2e", "docs", "packages/core/src"];

/**
 * An endless stream of entries as agents log them: seven of ten are tool calls.
 * @param {() => number} random
 * @param {() => string} sentence
 * @returns {Generator<LogEntry, never>}
 */
export function* entriesFrom(random, sentence) {
  for (let number = 1; ; number++) {
    const word = number % rareEvery === 0 ? planted.rare : number % frequentEvery === 0 ? planted.frequent : "";
    const text = word === "" ? sentence() : `${sentence()} The ${word} was here.`;
    const dice = random();
    if (dice < 0.7) yield toolCall(random, text);
    else if (dice < 0.82) yield { kind: "text", text: `${text} ${sentence()} ${sentence()}` };
    else if (dice < 0.87) yield { kind: "decision", text };
    else if (dice < 0.91) yield { kind: "error", text, resolution: sentence() };
    else if (dice < 0.95) yield { kind: "user", text };
    else if (dice < 0.98) yield { kind: "tokens", tokens: 1000 + Math.floor(random() * 20_000) };
    else yield { kind: "phase", title: text.slice(0, 24).trim(), agent: "coder@2" };
  }
}

/**
 * @param {() => number} random
 * @param {string} text
 * @returns {LogEntry}
 */
function toolCall(random, text) {
  const name = pick(random, tools);
  const path = `${pick(random, folders)}/part-${Math.floor(random() * 100_000)}.ts`;
  const failed = random() < 0.06;
  return { kind: "tool", name, args: name === "Bash" ? `npx vitest run ${path}` : path, result: text, failed };
}
