import { entriesFrom, planted } from "./entries.mjs";
import { proseFrom } from "./prose.mjs";
import { pick, randomFrom } from "./random.mjs";

/** @typedef {typeof import("../parts.ts")} Parts */
/** @typedef {{ id: string, text: string }} MadeSession */

const firstDayMs = Date.parse("2025-01-06T08:00:00.000Z");
const daysCovered = 500;
const hourMs = 3_600_000;
const endings = /** @type {const} */ (["completed", "completed", "completed", "completed", "failed", "abandoned"]);

/** An agent that took part in few sessions, and one that took part in one of fifty. */
export const agents = { rare: "archivist@1", usual: "agent-7@2" };
const usualAgents = 50;
const rareSessions = 5;

/**
 * `count` sessions that have ended, oldest first, as the program would have written them.
 * @param {Parts} parts
 * @param {number} count
 * @param {number} bytesEach
 * @returns {Generator<MadeSession>}
 */
export function* sessionsOf(parts, count, bytesEach) {
  const random = randomFrom(count);
  const sentence = proseFrom(random);
  const entries = entriesFrom(random, sentence);
  for (let number = 0; number < count; number++) {
    const startedMs = firstDayMs + Math.floor((number / count) * daysCovered * 24 * hourMs);
    const started = new Date(startedMs).toISOString();
    const words = sentence().slice(0, -1).toLowerCase().split(" ").slice(0, 3);
    const id = `${started.slice(0, 10)}-${words.join("-")}-${number}`;
    const title = `${words.join(" ")} ${number}`;
    const isRare = number % Math.ceil(count / rareSessions) === 1;
    const participants = [`agent-${number % usualAgents}@2`, ...(isRare ? [agents.rare] : [])];
    const head = parts.renderBlock({
      type: "session",
      session_id: id,
      title,
      status: pick(random, endings),
      started,
      ended: new Date(startedMs + random() * 3 * hourMs).toISOString(),
      kind: "work",
      channel: pick(random, ["dev", "ops", "research"]),
      participants,
      tokens_used: Math.floor(random() * 500_000),
      branch: "main",
    });
    const body = bodyFrom(parts, entries, bytesEach - head.length, { title, at: started });
    const lone = isRare ? `\n> [!decision]\n> The ${planted.lone} stands.\n` : "";
    yield { id, text: head + body + lone };
  }
}

/**
 * A body of about `bytes` bytes.
 * @param {Parts} parts
 * @param {Iterator<import("./entries.mjs").LogEntry, never>} entries
 * @param {number} bytes
 * @param {{ title: string, at: string }} about
 */
export function bodyFrom(parts, entries, bytes, { title, at }) {
  let phases = 1;
  const mark = () => ({ id: `phase-${phases++}`, at });
  /** @type {import("../parts.ts").Item[]} */
  const items = [
    { kind: "title", text: title },
    { kind: "phase", title: "Research", mark: mark() },
  ];
  for (let size = 0; size < bytes;) {
    const entry = entries.next().value;
    items.push(entry.kind === "phase" ? { ...entry, mark: mark() } : entry);
    size += sizeOf(entry);
  }
  return parts.renderItems(items);
}

/** About as long as the entry is once it is rendered. @param {import("./entries.mjs").LogEntry} entry */
function sizeOf(entry) {
  switch (entry.kind) {
    case "tool":
      return 14 + entry.name.length + entry.args.length + (entry.result ?? "").length;
    case "error":
      return 36 + entry.text.length + (entry.resolution ?? "").length;
    case "phase":
      return 80 + entry.title.length;
    default:
      return 20 + ("text" in entry ? entry.text.length : 20);
  }
}
