import { planted } from "./entries.mjs";
import { proseFrom } from "./prose.mjs";
import { pick, randomFrom } from "./random.mjs";

/** @typedef {typeof import("../parts.ts")} Parts */
/** @typedef {{ id: string, text: string, results: string }} ImportedSession */

const firstDayMs = Date.parse("2026-01-05T08:00:00.000Z");
const hourMs = 3_600_000;
const frequentEvery = 100;
const folders = ["src/app/session", "src/server/routes", "lib", "test/e2e", "docs/formats", "packages/core/src"];
const verbs = ["read", "write", "find", "open", "close", "parse", "render", "merge", "check", "load"];
const nouns = ["Session", "Record", "Index", "Token", "User", "Route", "Chunk", "Buffer", "Config", "Lock"];

/**
 * Sessions shaped like agents' transcripts that were imported: what the user asked, what the agent said, and tool calls with
 * their args and whole results, which are most of it. Endless; the sizes differ as those of real ones do.
 * @param {Parts} parts
 * @param {number} bytesEach the mean
 * @returns {Generator<ImportedSession, never>}
 */
export function* importedSessions(parts, bytesEach) {
  const random = randomFrom(11);
  const made = { random, sentence: proseFrom(random), calls: 0 };
  for (let number = 0; ; number++) {
    const started = new Date(firstDayMs + number * hourMs).toISOString();
    const id = `${started.slice(0, 10)}-imported-${number}`;
    const title = `Imported ${number}`;
    const head = parts.renderBlock({
      type: "session",
      session_id: id,
      title,
      status: "completed",
      started,
      ended: new Date(firstDayMs + (number + 1) * hourMs).toISOString(),
      kind: "work",
      channel: "dev",
      participants: ["coder@2"],
      tokens_used: Math.floor(random() * 500_000),
      branch: "main",
    });
    // From a tenth to three times the mean.
    const bytes = bytesEach * (0.1 + 2.9 * random() ** 2.2);
    const { items, results } = turns(parts, made, bytes, { title, at: started });
    yield { id, text: head + parts.renderItems(items), results };
  }
}

/** @typedef {{ random: () => number, sentence: () => string, calls: number }} Made */

/**
 * @param {Parts} parts
 * @param {Made} made
 * @param {number} bytes
 * @param {{ title: string, at: string }} about
 */
function turns(parts, made, bytes, { title, at }) {
  const { random, sentence } = made;
  /** @type {import("../parts.ts").Item[]} */
  const items = [{ kind: "title", text: title }];
  let results = "";
  let phases = 1;
  for (let size = 0; size < bytes;) {
    items.push({ kind: "phase", title: `Turn ${phases}`, mark: { id: `phase-${phases++}`, at } });
    items.push({ kind: "user", text: sentences(random, sentence, 1, 4) });
    const calls = 2 + Math.floor(random() * 12);
    for (let call = 0; call < calls; call++) {
      const said = sentences(random, sentence, 1, 5);
      items.push({ kind: "text", text: said });
      const entry = parts.cutToolEntry(parts.assumeRedacted(toolCall(made)), () => "whole.txt");
      items.push(entry);
      const { result_full } = entry;
      const result = result_full === undefined ? "" : parts.encodeResult({ ...entry, result_full });
      results += result;
      size += said.length + entry.args.length + result.length + 160;
    }
  }
  return { items, results };
}

/**
 * @param {Made} made
 * @returns {import("../../src/contract/session.ts").ToolEntry}
 */
function toolCall(made) {
  const { random, sentence } = made;
  made.calls += 1;
  const word = made.calls % frequentEvery === 0 ? ` ${planted.frequent}` : "";
  const path = `${pick(random, folders)}/${pick(random, verbs)}-${Math.floor(random() * 3000)}.ts`;
  const dice = random();
  const base = /** @type {const} */ ({ kind: "tool", failed: false });
  if (dice < 0.45) {
    const result = `${code(random, 20 + Math.floor(random() * 120))}${word}`;
    return { ...base, name: "Read", args: JSON.stringify({ file_path: `/home/dev/app/${path}` }), result };
  }
  if (dice < 0.75) {
    const args = JSON.stringify({ command: `npx vitest run ${path}`, description: sentence() });
    return { ...base, name: "Bash", args, result: `${log(random, sentence, 4 + Math.floor(random() * 50))}${word}` };
  }
  const [before, after] = [code(random, 8), code(random, 9)];
  const args = JSON.stringify({ file_path: `/home/dev/app/${path}`, old_string: before, new_string: after + word });
  return { ...base, name: "Edit", args, result: `The file /home/dev/app/${path} has been updated.` };
}

/** @param {() => number} random */
const name = (random) => `${pick(random, verbs)}${pick(random, nouns)}${Math.floor(4000 ** random())}`;

/**
 * Lines of a program, with their numbers.
 * @param {() => number} random
 * @param {number} lines
 */
function code(random, lines) {
  let text = "";
  for (let line = 1; line <= lines; line++) {
    const [a, b, c] = [name(random), name(random), name(random)];
    const dice = random();
    if (dice < 0.4) text += `${line}\t  const ${a} = await this.${b}(${c}, { limit: ${line * 7} });\n`;
    else if (dice < 0.6) text += `${line}\texport function ${a}(${b}: string): Promise<${c}> {\n`;
    else if (dice < 0.8) text += `${line}\t  if (${a}.length === 0) return ${b}[${c}] ?? undefined; // ${b} → ${c}\n`;
    else text += `${line}\t  }\n`;
  }
  return text;
}

/**
 * What a command prints.
 * @param {() => number} random
 * @param {() => string} sentence
 * @param {number} lines
 */
function log(random, sentence, lines) {
  let text = "";
  for (let line = 0; line < lines; line++) {
    const path = `${pick(random, folders)}/${name(random)}.test.ts`;
    text +=
      random() < 0.5
        ? ` ✓ ${path} (${line + 1} tests) ${line * 13}ms\n`
        : `    at ${path}:${line * 3}:17 ${sentence()}\n`;
  }
  return text;
}

/**
 * @param {() => number} random
 * @param {() => string} sentence
 * @param {number} least
 * @param {number} most
 */
function sentences(random, sentence, least, most) {
  return Array.from({ length: least + Math.floor(random() * (most - least + 1)) }, sentence).join(" ");
}
