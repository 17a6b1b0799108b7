import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { isObject } from "./model/wire.ts";
import type { Line } from "./line-program.ts";
import type { RealEngine } from "./real-engine.ts";

const fixtures = resolve(import.meta.dirname, "../fixtures/engines");
const longestText = 400;
const longestPurpose = 40;
const longestList = 5;
/** What names the machine. */
const ofMachine = new Set(["serverName", "userAgent", "pid", "processId", "messaging_socket_path", "output_file"]);

/**
 * With `CLEW_RECORD_ENGINES` set, keeps what an engine said as a fixture for the tests that run without engines.
 * The folder and the home lose their places, ids are numbered, and long lists and texts of the engine's own are cut.
 */
export function keepRecording(name: string, { folder }: Pick<RealEngine, "folder">, lines: readonly Line[]): void {
  if (process.env.CLEW_RECORD_ENGINES === undefined) return;
  const root = dirname(folder);
  const ids = new Map<string, string>();
  const anonymous = lines.map((line) =>
    JSON.stringify(shorten(line))
      .replaceAll(root, "")
      // Claude makes the name of a folder out of a path.
      .replaceAll(root.replaceAll("/", "-"), "")
      .replace(anyId, (id) => numbered(ids, id)),
  );
  const file = resolve(fixtures, `${name}.jsonl`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${anonymous.join("\n")}\n`);
}

const anyId = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gu;

/** The same id stays the same, and still looks like one. */
function numbered(ids: Map<string, string>, id: string): string {
  const known = ids.get(id) ?? `00000000-0000-4000-8000-${String(ids.size + 1).padStart(12, "0")}`;
  ids.set(id, known);
  return known;
}

function shorten(value: unknown, key = ""): unknown {
  if (ofMachine.has(key)) return typeof value === "number" ? 0 : "elided";
  if (typeof value === "string") return cut(value, key === "description" ? longestPurpose : longestText);
  if (Array.isArray(value)) return value.slice(0, longestList).map((one) => shorten(one));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shorten(inner, name)]));
}

function cut(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}
