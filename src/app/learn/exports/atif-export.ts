import type { AtifTrajectory } from "../../../contract/atif.ts";
import type { ExportItem, ExportSummary, LeftOut } from "../../../contract/api/learn.ts";
import { fromRedacted } from "../../../contract/redacted.ts";
import type { LeftOutReason } from "../../../contract/learn-values.ts";
import { PlacedSession } from "../../../learn/cases/placed-session.ts";
import { subagentSessions, trajectoryOf } from "../../../learn/export/atif/trajectory.ts";
import { redactValue } from "../../../redact/redact-value.ts";
import { isSessionId } from "../../../session/session-id.ts";
import { countLeftOut, readOrReason } from "../case-stream.ts";
import type { LearnParts } from "../ports.ts";
import { selectSessions } from "../select-sessions.ts";
import type { ExportRequest } from "./export-request.ts";
import { TextOutput } from "./text-output.ts";

/** So deep subagents are embedded in each other. */
const embedDepth = 3;

/**
 * Sessions as trajectories. Without a place, and into a file `.jsonl`, one a line; one session into a file `.json`; else each
 * into a file of a new folder.
 */
export async function* exportTrajectories(
  parts: LearnParts,
  request: ExportRequest,
  summary: ExportSummary,
): AsyncGenerator<ExportItem> {
  const ids = await selectSessions(parts, request);
  const redact = await parts.sessions.redact();
  const { output } = request;
  const all = new Set(ids);
  const isFolder =
    output !== undefined && !output.endsWith(".jsonl") && !(output.endsWith(".json") && ids.length === 1);
  const folder = isFolder ? (await parts.files()).newFolder(output) : undefined;
  const text = folder ? undefined : await TextOutput.open(parts, output);
  const leaveOut = (session: string, reason: LeftOutReason): void => {
    const item: LeftOut = { session, line: null, type: null, reason, text: "" };
    summary.left_out.push(item);
    countLeftOut(summary.counts, reason);
  };
  try {
    for (const id of ids) {
      summary.counts.sessions++;
      const found = await trajectory(parts, id, all, []);
      if (typeof found === "string") {
        leaveOut(id, found);
        continue;
      }
      const line = fromRedacted(redactValue(found, redact), (each) => `${JSON.stringify(each)}\n`);
      folder?.write(`${id}.json`, line);
      text?.write(line);
      summary.written++;
      if (text) yield* text.taken();
    }
    folder?.close();
    text?.close();
    if (output !== undefined) summary.files.push(output);
    yield summary;
  } finally {
    folder?.discard();
    text?.discard();
  }
}

/** The trajectory of a session with those of its subagents, or why there is none. `all` are those that are exported. */
async function trajectory(
  parts: LearnParts,
  id: string,
  all: ReadonlySet<string>,
  above: readonly string[],
): Promise<AtifTrajectory | LeftOutReason> {
  const record = await readOrReason(parts, id);
  if ("reason" in record) return "unreadable";
  const { parent } = record.frontmatter;
  if (above.length === 0 && typeof parent === "string" && all.has(parent)) return "other_session_holds_it";
  const { records } = parts.sessions;
  const session = new PlacedSession({ ...record, path: parts.shownPath(records.path(id)) });
  session.addResults(records.results(id));
  const embedded = new Map<string, AtifTrajectory>();
  for (const child of above.length < embedDepth ? subagentSessions(session) : []) {
    if (child === id || above.includes(child) || !isSessionId(child) || !records.exists(child)) continue;
    const found = await trajectory(parts, child, all, [...above, id]);
    if (typeof found !== "string") embedded.set(child, found);
  }
  return trajectoryOf(session, embedded) ?? "empty";
}
