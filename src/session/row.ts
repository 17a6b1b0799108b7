import type { Frontmatter, SubagentNews } from "../contract/session.ts";
import type { SubagentRef } from "../contract/api/session-document.ts";
import type { InboxItem } from "../contract/api/inbox.ts";
import type { SessionRow, UsedShare } from "../contract/session-row.ts";
import { uniqueAgents, withVersion } from "./agents.ts";
import { enginesIn } from "./engine-sessions.ts";
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
  // What cost more than entries tell was counted elsewhere, and stays.
  const { costMicroUsd } = tally;
  if (costMicroUsd !== null && costMicroUsd >= microUsd(frontmatter.cost_usd ?? 0))
    derived["cost_usd"] = costMicroUsd / 1e6;
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
  const channels = [...new Set([...(channel === null ? [] : [channel]), ...tally.channels])];
  const engines = [...new Set(enginesIn(frontmatter).map(asWord))];
  return {
    session_id: frontmatter.session_id,
    title: frontmatter.title,
    status: frontmatter.status,
    started: frontmatter.started,
    ended: frontmatter.ended ?? null,
    channel,
    channels,
    participants,
    model: frontmatter.model ?? null,
    tokens_used: frontmatter.tokens_used ?? null,
    used: usedShares(frontmatter, tally, { participants, channels, engines }),
    cost_usd: frontmatter.cost_usd ?? null,
    phases: tally.phases,
    errors: tally.errors,
    kind: frontmatter.kind,
    engines,
    parent: textOrNull(frontmatter.parent),
    bead: textOrNull(frontmatter.bead),
    branch: textOrNull(frontmatter.branch),
    merged: typeof frontmatter.merged === "string",
    archived: frontmatter.archived !== undefined,
    check,
  };
}

type Names = Pick<SessionRow, "participants" | "channels" | "engines">;

/**
 * Whose the tokens and the cost are. They add up to what the frontmatter says, also where a person or another tool wrote it without
 * entries: what no entry tells of belongs to who alone can have used it.
 */
function usedShares(frontmatter: Frontmatter, tally: Tally, { participants, channels, engines }: Names): UsedShare[] {
  const { tokens_used, cost_usd } = frontmatter;
  const agent = onlyOne(sessionAgents(participants, tally));
  const channel = frontmatter.channel ?? null;
  const bead = textOrNull(frontmatter.bead);
  const engine = onlyOne(engines);
  const shares: UsedShare[] = [];
  for (const share of tally.used) {
    addShare(shares, {
      ...share,
      agent: share.agent === null ? agent : withVersion(asWord(share.agent), participants),
      channel: share.channel ?? channel,
      engine: engineOf(share, engines) ?? engine,
      bead: share.bead ?? bead,
    });
  }
  const tokens = (tokens_used ?? 0) - sum(tally.used, "tokens");
  // Zero tokens are not the same as an unknown number.
  if (tokens !== 0 || (tokens_used === 0 && shares.length === 0))
    addShare(shares, { agent, channel, engine, bead, tokens, cost_micro_usd: null });
  const cost_micro_usd = microUsd(cost_usd ?? 0) - sum(tally.used, "cost_micro_usd");
  if (cost_micro_usd === 0 && (cost_usd !== 0 || tally.costMicroUsd !== null)) return shares;
  const causer = { agent: onlyOne(participants), channel: onlyOne(channels) };
  addShare(shares, { ...causer, engine, bead, tokens: null, cost_micro_usd });
  return shares;
}

/** Where an entry names no engine, the agent of its phase may be one: sessions of engines call it so. */
function engineOf({ engine, agent }: UsedShare, engines: string[]): string | null {
  if (engine !== null) return asWord(engine);
  return agent !== null && engines.includes(agent) ? agent : null;
}

function onlyOne(names: string[]): string | null {
  return names.length === 1 ? names[0]! : null;
}

function sum(shares: UsedShare[], of: "tokens" | "cost_micro_usd"): number {
  return shares.reduce((total, share) => total + (share[of] ?? 0), 0);
}

function microUsd(costUsd: number): number {
  return Math.round(costUsd * 1e6);
}

function asWord(name: string): string {
  return name.replace(/\s+/g, "-");
}

/** A person may have written anything there. */
function textOrNull(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

export function toInbox(sessionId: string, tally: Tally): InboxItem[] {
  return tally.open.map(({ id, kind, text, phase }) => ({ id, session_id: sessionId, kind, text, phase }));
}
