import type { AtifTrajectory } from "../../../contract/atif.ts";
import type { ExportItem, ExportSummary, ExcludedCase } from "../../../contract/api/learn.ts";
import { ClewError } from "../../../contract/errors.ts";
import { fromRedacted } from "../../../contract/redacted.ts";
import type { ExclusionReason } from "../../../contract/learn-values.ts";
import { PlacedSession } from "../../../learn/cases/placed-session.ts";
import { subagentSessions, trajectoryOf } from "../../../learn/export/atif/trajectory.ts";
import { redactValue } from "../../../redact/redact-value.ts";
import { isSessionId } from "../../../session/session-id.ts";
import { countExcluded, readOrReason } from "../case-stream.ts";
import type { LearnParts } from "../ports.ts";
import { filteredSession, entryFilter, selectSessions } from "../select-sessions.ts";
import type { ExportRequest } from "./export-request.ts";
import { interruptedExport } from "./interrupted-export.ts";
import { TextOutput } from "./text-output.ts";

/** So deep subagents are embedded in each other; deeper ones have a trajectory of their own. */
const embedDepth = 64;

/**
 * Sessions as trajectories. Without a place, and into a file `.jsonl`, one a line; one session into a file `.json`; else each
 * into a file of a new folder.
 */
export async function* exportTrajectories(
  parts: LearnParts,
  request: ExportRequest,
  summary: ExportSummary,
): AsyncGenerator<ExportItem> {
  const { ids, filtered } = await selectSessions(parts, request);
  const redact = await parts.sessions.redact();
  const { output } = request;
  const isDocument = output?.endsWith(".json") ?? false;
  if (isDocument && ids.length !== 1) throw notOne(ids.length);
  const isFolder = output !== undefined && !isDocument && !output.endsWith(".jsonl");
  const folder = isFolder ? (await parts.files()).newFolder(output) : undefined;
  const text = folder ? undefined : await TextOutput.open(parts, output);
  const leaveOut = (item: ExcludedCase): void => {
    summary.left_out.push(item);
    countExcluded(summary.counts, item.reason);
  };
  try {
    summary.counts.sessions = ids.length + filtered.length;
    filtered.forEach(leaveOut);
    for await (const [id, found] of trajectories(parts, ids, entryFilter(request))) {
      await parts.giveWay();
      if (request.signal.aborted) throw interruptedExport();
      if (typeof found === "string") {
        leaveOut({ ...filteredSession(id), reason: found });
        continue;
      }
      const line = fromRedacted(redactValue(found, redact), (each) => `${JSON.stringify(each)}\n`);
      folder?.write(`${id}.json`, line);
      text?.write(line);
      summary.written++;
      if (text) yield* text.taken();
    }
    // A file or folder of nothing helps nobody.
    if (summary.written > 0 || output === undefined) {
      folder?.close();
      text?.close();
      if (output !== undefined) summary.files.push(output);
    }
    yield summary;
  } finally {
    folder?.discard();
    text?.discard();
  }
}

function notOne(count: number): ClewError {
  return new ClewError(
    "usage",
    `a file .json holds one trajectory, and ${count} sessions are meant`,
    "name one session, or give -o FILE.jsonl or -o FOLDER",
  );
}

/** What each session becomes. Those of subagents come last: only what no other trajectory holds has one of its own. */
async function* trajectories(
  parts: LearnParts,
  ids: readonly string[],
  accepts: ReturnType<typeof entryFilter>,
): AsyncGenerator<[id: string, found: AtifTrajectory | ExclusionReason]> {
  const all = new Set(ids);
  const held = new Set<string>();
  const subagents: string[] = [];
  const made = async (id: string, session: PlacedSession | undefined): Promise<AtifTrajectory | ExclusionReason> => {
    if (!session) return "unreadable";
    if (accepts && !session.entries.some((_, at) => accepts(session, at))) return "filtered";
    const here = new Set([id]);
    const found = await trajectory(parts, session, { here, depth: 0 });
    for (const each of here) if (each !== id) held.add(each);
    return found ?? "empty";
  };
  for (const id of ids) {
    const session = await readWhole(parts, id);
    const parent = session?.frontmatter.parent;
    if (typeof parent === "string" && parent !== id && all.has(parent)) subagents.push(id);
    else yield [id, await made(id, session)];
  }
  for (const id of subagents)
    yield [id, held.has(id) ? "other_session_holds_it" : await made(id, await readWhole(parts, id))];
}

async function readWhole(parts: LearnParts, id: string): Promise<PlacedSession | undefined> {
  const record = await readOrReason(parts, id);
  if ("reason" in record) return undefined;
  const { records } = parts.sessions;
  const session = new PlacedSession({ ...record, path: parts.shownPath(records.path(id)) });
  session.addResults(records.results(id));
  return session;
}

interface Embedding {
  /** The sessions that stand in the trajectory that is made, each once. */
  here: Set<string>;
  depth: number;
}

/** The trajectory of a session with those of its subagents; undefined when it has no entries. */
async function trajectory(
  parts: LearnParts,
  session: PlacedSession,
  { here, depth }: Embedding,
): Promise<AtifTrajectory | undefined> {
  const embedded = new Map<string, AtifTrajectory>();
  for (const id of depth < embedDepth ? subagentSessions(session) : []) {
    if (here.has(id) || !isSessionId(id) || !parts.sessions.records.exists(id)) continue;
    const child = await readWhole(parts, id);
    if (!child) continue;
    here.add(id);
    const found = await trajectory(parts, child, { here, depth: depth + 1 });
    if (found) embedded.set(id, found);
    else here.delete(id);
  }
  return trajectoryOf(session, embedded);
}
