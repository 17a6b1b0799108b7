import type { Frontmatter, SubagentNews } from "../contract/session.ts";
import type { SubagentRef } from "../contract/api/session-document.ts";
import type { InboxItem } from "../contract/api/inbox.ts";
import type { SessionRow, TokenShare } from "../contract/session-row.ts";
import { uniqueAgents, withVersion } from "./agents.ts";
import { addShare, sessionAgents, type Tally } from "./tally.ts";

/**
 * The frontmatter values that follow from the body; only those that differ from what the frontmatter says. `news` is what a
 * subagent's session tells; it stands in the frontmatter alone.
 */
export function derivedChanges(frontmatter: Frontmatter, tally: Tally, news?: SubagentNews): Record<string, unknown> {
  const derived: Record<string, unknown> = {};
  const participants = uniqueAgents([...(frontmatter.participants ?? []), ...tally.participants]);
  if (participants.length > 0) derived["participants"] = participants;
  if (tally.tokens !== null) derived["tokens_used"] = tally.tokens;
  if (tally.subagents.length > 0) derived["subagents"] = subagentRefs(frontmatter.subagents ?? [], tally, news);
  if (frontmatter.model === undefined && tally.model !== null) derived["model"] = tally.model;
  return Object.fromEntries(
    Object.entries(derived).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(frontmatter[key])),
  );
}

/** A subagent at work has the count that its session told; the callout of one that ended names it. */
function subagentRefs(listedRefs: SubagentRef[], { subagents, openLinks }: Tally, news?: SubagentNews): SubagentRef[] {
  const newsOf = new Map(listedRefs.map((each) => [each.session, each as Partial<SubagentRef>]));
  if (news) newsOf.set(news.session, { ...newsOf.get(news.session), ...news });
  const open = new Set(openLinks.map(({ session }) => session));
  return subagents.map((ref) => {
    const refNews = ref.session === undefined ? undefined : newsOf.get(ref.session);
    if (!refNews) return ref;
    const tokens = open.has(ref.session) ? (refNews.tokens ?? ref.tokens) : (ref.tokens ?? refNews.tokens);
    return { ...ref, ...(tokens !== undefined && { tokens }), ...(refNews.deleted && { deleted: true as const }) };
  });
}

/** One session's line in the index. `check` is the checksum of the body. */
export function toRow(frontmatter: Frontmatter, tally: Tally, check: string): SessionRow {
  const participants = (frontmatter.participants ?? []).map(asWord);
  const channel = frontmatter.channel ?? null;
  return {
    session_id: frontmatter.session_id,
    title: frontmatter.title,
    status: frontmatter.status,
    started: frontmatter.started,
    ended: frontmatter.ended ?? null,
    channel,
    channels: [...new Set([...(channel === null ? [] : [channel]), ...tally.channels])],
    participants,
    model: frontmatter.model ?? null,
    tokens_used: frontmatter.tokens_used ?? null,
    agent_tokens: agentTokens(frontmatter, tally, participants),
    channel_tokens: shares(frontmatter, tally.channelTokens, (name) => name ?? channel),
    cost_usd: frontmatter.cost_usd ?? null,
    phases: tally.phases,
    errors: tally.errors,
    kind: frontmatter.kind,
    engines: engineNames(frontmatter.engine_sessions),
    parent: textOrNull(frontmatter.parent),
    bead: textOrNull(frontmatter.bead),
    branch: textOrNull(frontmatter.branch),
    merged: typeof frontmatter.merged === "string",
    archived: frontmatter.archived !== undefined,
    check,
  };
}

/** What no heading names an agent for is the session's own agent's, if there is only one. */
function agentTokens(frontmatter: Frontmatter, tally: Tally, participants: string[]): TokenShare[] {
  const agents = sessionAgents(participants, tally);
  const onlyAgent = agents.length === 1 ? agents[0]! : null;
  return shares(frontmatter, tally.agentTokens, (name) =>
    name === null ? onlyAgent : withVersion(asWord(name), participants),
  );
}

/** The shares add up to what the frontmatter says, also where a person or another tool wrote it without entries. */
function shares(
  { tokens_used }: Frontmatter,
  countedShares: TokenShare[],
  nameOf: (name: string | null) => string | null,
): TokenShare[] {
  const result: TokenShare[] = [];
  for (const { name, tokens } of countedShares) addShare(result, nameOf(name), tokens);
  const uncounted = (tokens_used ?? 0) - countedShares.reduce((sum, { tokens }) => sum + tokens, 0);
  // Zero tokens are not the same as an unknown number.
  if (uncounted !== 0 || (tokens_used === 0 && result.length === 0)) addShare(result, nameOf(null), uncounted);
  return result;
}

function asWord(name: string): string {
  return name.replace(/\s+/g, "-");
}

/** A person may have written anything there. */
function textOrNull(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function engineNames(sessions: unknown[] | undefined): string[] {
  const names = (sessions ?? []).map((each) => (each as { engine?: unknown } | null)?.engine);
  return [...new Set(names.filter((name) => typeof name === "string").map(asWord))];
}

export function toInbox(sessionId: string, tally: Tally): InboxItem[] {
  return tally.open.map(({ id, kind, text, phase }) => ({ id, session_id: sessionId, kind, text, phase }));
}
