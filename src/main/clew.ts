import { readFileSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Script } from "node:vm";
import type { start as Start } from "./start.ts";

declare const __CLEW_VERSION__: string;

type Exports = Record<string, unknown>;
type ChunkBody = (exports: Exports, require: (id: string) => unknown, module: { exports: Exports }) => void;

const chunks = join(__dirname, "chunks");
const loaded = new Map<string, { exports: Exports }>();
const requirePackage = createRequire(__filename);

/**
 * Loads a chunk of the program with the machine code that the build left beside it. V8 takes that code only from the
 * very same Node; any other one compiles as usual. This is a third of what a command takes to start.
 */
function loadChunk(name: string): Exports {
  const cached = loaded.get(name);
  if (cached) return cached.exports;
  const file = join(chunks, name);
  const source = `(function (exports, require, module) {${readFileSync(file, "latin1")}\n})`;
  const cachedData = readIfExists(`${file}.code`);
  // A name, no path: V8 writes it into the code, and the folder of the build exists on no other machine.
  const script = new Script(source, { filename: `clew/${name}`, ...(cachedData && { cachedData }) });
  const module: { exports: Exports } = { exports: {} };
  loaded.set(name, module);
  const body = script.runInThisContext() as ChunkBody;
  body(
    module.exports,
    (id) => (id.startsWith("./") ? loadChunk(id.slice(2)) : (requirePackage(id) as unknown)),
    module,
  );
  return module.exports;
}

function readIfExists(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

const argv = process.argv.slice(2);

/** A shell may stand in a folder that was removed; Node then throws at every question about it. */
function hasFolder(): boolean {
  try {
    process.cwd();
    return true;
  } catch {
    return false;
  }
}

// The version needs nothing of the rest of the program.
if (argv.length === 1 && ["--version", "-V", "version"].includes(argv[0]!)) {
  try {
    writeSync(1, `${__CLEW_VERSION__}\n`);
  } catch (error) {
    // A reader that stops reading wants no more; that is no failure.
    if ((error as NodeJS.ErrnoException).code !== "EPIPE") {
      writeSync(2, `error: the version cannot be printed: ${(error as Error).message}\n`);
      process.exitCode = 1;
    }
  }
} else if (!hasFolder()) {
  const message = "the current folder does not exist any more";
  const hint = "go to one that does, such as: cd ~";
  if (argv.includes("--json"))
    writeSync(1, `${JSON.stringify({ error: { code: "not_a_repository", message, hint } })}\n`);
  writeSync(2, `error: ${message}\n  ${hint}\n`);
  process.exitCode = 2;
} else {
  const start = loadChunk("start.cjs")["start"] as typeof Start;
  void start(argv, {
    version: __CLEW_VERSION__,
    builtins: join(__dirname, "builtins"),
    engines: join(__dirname, "engines"),
  });
}
