import type { Frontmatter } from "../contract/session.ts";
import type { InboxItem, SessionRow } from "../contract/session-row.ts";
import type { Tally } from "./tally.ts";

/** The frontmatter values that follow from the body; only those that differ from what the frontmatter says. */
export function derivedChanges(frontmatter: Frontmatter, tally: Tally): Record<string, unknown> {
  const derived: Record<string, unknown> = {};
  const participants = [...new Set([...(frontmatter.participants ?? []), ...tally.participants])];
  if (participants.length > 0) derived["participants"] = participants;
  if (tally.tokens !== null) derived["tokens_used"] = tally.tokens;
  if (tally.subagents.length > 0) derived["subagents"] = tally.subagents;
  if (frontmatter.model === undefined && tally.model !== null) derived["model"] = tally.model;
  return Object.fromEntries(
    Object.entries(derived).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(frontmatter[key])),
  );
}

/** One session's line in the index. `check` is the checksum of the body. */
export function toRow(frontmatter: Frontmatter, tally: Tally, check: string): SessionRow {
  return {
    session_id: frontmatter.session_id,
    title: frontmatter.title,
    status: frontmatter.status,
    started: frontmatter.started,
    ended: frontmatter.ended ?? null,
    channel: frontmatter.channel ?? null,
    participants: (frontmatter.participants ?? []).map((name) => name.replace(/\s+/g, "-")),
    model: frontmatter.model ?? null,
    tokens_used: frontmatter.tokens_used ?? null,
    cost_usd: frontmatter.cost_usd ?? null,
    phases: tally.phases,
    errors: tally.errors,
    kind: frontmatter.kind,
    engines: engineNames(frontmatter.engine_sessions),
    archived: frontmatter.archived !== undefined,
    check,
  };
}

function engineNames(sessions: unknown[] | undefined): string[] {
  const names = (sessions ?? []).map((each) => (each as { engine?: unknown } | null)?.engine);
  return [...new Set(names.filter((name) => typeof name === "string").map((name) => name.replace(/\s+/g, "-")))];
}

export function toInbox(sessionId: string, tally: Tally): InboxItem[] {
  return tally.open.map(({ id, kind, text, phase }) => ({ id, session_id: sessionId, kind, text, phase }));
}
