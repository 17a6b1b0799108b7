import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { proseFrom } from "./prose.mjs";
import { pick, randomFrom } from "./random.mjs";

const firstDayMs = Date.parse("2025-01-06T08:00:00.000Z");
const minuteMs = 60_000;

/**
 * Writes a repository's beads as `bd` exports them, about 850 bytes each, and gives the ids of those that are open. One of
 * two is open, and one of three waits for an older one.
 * @param {string} folder
 * @param {number} count
 */
export function writeBeads(folder, count) {
  const random = randomFrom(count);
  const sentence = proseFrom(random);
  const beads = Array.from({ length: count }, (_, at) => beadOf(at, random, sentence));
  mkdirSync(join(folder, ".beads"), { recursive: true });
  const text = beads.map((bead) => `${JSON.stringify(bead)}\n`).join("");
  writeFileSync(join(folder, ".beads", "issues.jsonl"), text);
  return {
    openIds: beads.flatMap(({ id, status }) => (status === "open" ? [id] : [])),
    bytes: Buffer.byteLength(text),
  };
}

/** @param {number} at */
function idOf(at) {
  return `bench-${at.toString(36).padStart(4, "0")}`;
}

/**
 * @param {number} at
 * @param {() => number} random
 * @param {() => string} sentence
 */
function beadOf(at, random, sentence) {
  const id = idOf(at);
  const created_at = new Date(firstDayMs + at * minuteMs).toISOString();
  const created_by = "someone";
  const isClosed = at % 2 === 0;
  const other = idOf(Math.floor(random() * at));
  const dependency = { issue_id: id, depends_on_id: other, type: "blocks", created_at, created_by };
  return {
    id,
    title: sentence(),
    description: `${sentence()} ${sentence()} ${sentence()}`,
    acceptance_criteria: sentence(),
    status: isClosed ? "closed" : "open",
    priority: Math.floor(random() * 5),
    issue_type: pick(random, ["task", "bug", "feature", "chore"]),
    labels: [pick(random, ["backend", "console", "docs"]), "v1"],
    created_at,
    created_by,
    updated_at: created_at,
    ...(isClosed && { closed_at: created_at, close_reason: "done" }),
    ...(at > 0 && random() < 1 / 3 && { dependencies: [dependency] }),
  };
}
