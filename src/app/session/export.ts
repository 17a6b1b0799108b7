import type { ExportedSession } from "../../contract/api/session-report.ts";
import type { ExportFormat } from "../../contract/report-values.ts";
import { bringUpToDate } from "./open-sessions.ts";
import type { SessionParts } from "./parts.ts";
import { showSession, withBreadcrumbs } from "./show.ts";
import { statsOf } from "./stats.ts";
import { timelineOf } from "./timeline.ts";

/** A session as data: what show tells, its timeline, and what it adds up to. */
export async function exportSession(parts: SessionParts, id: string): Promise<ExportedSession> {
  await bringUpToDate(parts);
  const document = await withBreadcrumbs(parts, id, await showSession(parts, id, true));
  return { ...document, timeline: await timelineOf(parts, id), stats: await statsOf(parts, id) };
}

/** Sessions as one text for people. */
export async function renderSessions(sessions: ExportedSession[], format: ExportFormat): Promise<string> {
  if (format === "html") return (await import("../../session/export/html.ts")).htmlPage(sessions);
  const { markdownPage } = await import("../../session/export/markdown.ts");
  return sessions.map(markdownPage).join("\n\n---\n\n");
}
