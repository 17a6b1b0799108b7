import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { entriesFrom } from "../lib/entries.mjs";
import { proseFrom } from "../lib/prose.mjs";
import { randomFrom } from "../lib/random.mjs";
import { plainRow } from "../lib/rows.mjs";
import { bodyFrom } from "../lib/sessions.mjs";
import { median } from "../lib/timing.mjs";

const parseProgram = fileURLToPath(new URL("../probes/parse.mjs", import.meta.url));

/** The parser alone, in a process of its own. @param {import("../lib/bench.mjs").Bench} bench */
export async function parse({ program, place, parts, partsFile, sizes }) {
  const random = randomFrom(1);
  const entries = entriesFrom(random, proseFrom(random));
  const about = { title: "A long session", at: "2026-01-05T09:00:00.000Z" };
  const body = Buffer.from(bodyFrom(parts, entries, sizes.parseBytes, about));
  const bodyFile = join(place.root, "body.md");
  writeFileSync(bodyFile, body);
  const printed = program.node(place.root, [parseProgram, partsFile, bodyFile, String(sizes.rounds)]);
  /** @type {number[]} */
  const times = JSON.parse(printed.toString());
  const value = body.length / 1e6 / (median(times) / 1000);
  return [plainRow(`parsing a body of ${(body.length / 1e6).toFixed(1)} MB`, { value, unit: "MB/s", atLeast: 100 })];
}
