import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Script } from "node:vm";

type Exports = Record<string, unknown>;
type ChunkBody = (exports: Exports, require: (id: string) => unknown, module: { exports: Exports }) => void;

const chunks = join(__dirname, "chunks");
const loaded = new Map<string, { exports: Exports }>();
const requirePackage = createRequire(__filename);

/**
 * Loads a chunk of the program with the machine code that the build left beside it. V8 takes that code only from the
 * very same Node; any other one compiles as usual. This is a third of what a command takes to start.
 */
export function loadChunk(name: string): Exports {
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
