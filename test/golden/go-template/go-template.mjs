// Real Go and Clew's engine side by side, for the golden results and the fuzzer.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "rolldown";

/** @typedef {{ template: string, data?: unknown }} Case */
/** @typedef {{ output?: string, error?: string, line?: number, column?: number, message?: string }} Answer */

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** Builds and starts the program that executes templates with real Go. */
export function startGo() {
  const folder = mkdtempSync(join(tmpdir(), "clew-go-"));
  const program = join(folder, "go-template");
  try {
    execFileSync("go", ["build", "-o", program, join(root, "test/golden/go-template/make.go")], { stdio: "inherit" });
  } catch (error) {
    rmSync(folder, { recursive: true });
    throw new Error("this needs Go 1.19: install Debian's golang-go, or see https://go.dev/dl", { cause: error });
  }
  const child = spawn(program, { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    /** @param {Case[]} cases @returns {Promise<Answer[]>} */
    async run(cases) {
      const sent = cases.map(({ template, data }) => `${JSON.stringify({ template, data })}\n`);
      child.stdin.write(sent.join(""));
      const answers = [];
      while (answers.length < cases.length) answers.push(JSON.parse((await lines.next()).value));
      return answers;
    },
    stop() {
      child.stdin.end();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Clew's engine, bundled, because Node cannot load TypeScript in all its versions. */
export async function loadEngine() {
  const folder = mkdtempSync(join(tmpdir(), "clew-template-"));
  await build({
    cwd: root,
    input: { parse: "src/grimoire/template/parse.ts", execute: "src/grimoire/template/execute.ts" },
    platform: "node",
    tsconfig: false,
    output: { dir: folder, entryFileNames: "[name].mjs", chunkFileNames: "[name].mjs" },
    logLevel: "silent",
  });
  const { parseTemplate } = await import(pathToFileURL(join(folder, "parse.mjs")).href);
  const { execute, textOf } = await import(pathToFileURL(join(folder, "execute.mjs")).href);
  rmSync(folder, { recursive: true });
  return { run };

  /** @param {Case} asked @returns {Answer} */
  function run({ template, data }) {
    let parsed;
    try {
      parsed = parseTemplate("t", template);
      const include = (/** @type {string} */ name) => `<${name}>`;
      return { output: textOf(execute(parsed, JSON.parse(JSON.stringify(data ?? null)), { include })) };
    } catch (error) {
      if (!(error instanceof Error) || error.name !== "TemplateError") {
        return { error: "crash", message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
      }
      const { line, column } = /** @type {Error & { line: number, column: number }} */ (error);
      return { error: parsed ? "exec" : "parse", line, column, message: error.message };
    }
  }
}

/** Whether Clew's answer is Go's. Go gives no column of a parse error, and counts others in bytes from 0.
 * @param {Case} asked @param {Answer} ours @param {Answer} theirs */
export function agrees({ template }, ours, theirs) {
  if (theirs.error === undefined) return ours.output === theirs.output;
  if (ours.error !== theirs.error || ours.line !== theirs.line) return false;
  return theirs.column === undefined || ours.column === columnOf(template, theirs.line ?? 1, theirs.column);
}

/** @param {string} text @param {number} line @param {number} bytes */
function columnOf(text, line, bytes) {
  const before = Buffer.from(text.toWellFormed().split("\n")[line - 1] ?? "").subarray(0, bytes);
  return [...before.toString()].length + 1;
}
