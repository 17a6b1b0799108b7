import type { Breadcrumb } from "../../contract/breadcrumb.ts";
import type { SessionStats } from "../../contract/api/session-list.ts";
import type { SessionNode } from "../../contract/api/session-report.ts";
import type { SessionRow } from "../../contract/session-row.ts";
import { parseItems } from "../../session/parse.ts";
import { sumIfAny } from "../../text/sum-if-any.ts";
import { breadcrumbsOf, isRoundOf, originIn, type SubagentOrigin } from "./breadcrumbs-of.ts";
import type { SessionParts } from "./parts.ts";
import { showSession } from "./show.ts";
import { treeOf } from "./tree.ts";

/** What one session adds up to, with its engines and the sessions below it. */
export async function statsOf(parts: SessionParts, id: string): Promise<SessionStats> {
  const { frontmatter, phases } = await showSession(parts, id);
  const tree = await treeOf(parts, id);
  const rounds = await ownRounds(parts, id, tree);
  const row = await parts.projections.ask((index) => index.get(id));
  const entries = phases.flatMap((phase) => phase.entries);
  const calls = entries.filter((entry) => entry.kind === "tool");
  const tools = new Map<string, { name: string; calls: number; failed: number }>();
  for (const { name, failed } of calls) {
    const tool = tools.get(name) ?? { name, calls: 0, failed: 0 };
    tools.set(name, { name, calls: tool.calls + 1, failed: tool.failed + (failed ? 1 : 0) });
  }
  const count = (kind: string): number => entries.filter((entry) => entry.kind === kind).length;
  return {
    session_id: id,
    title: frontmatter.title,
    status: frontmatter.status,
    duration_ms: durationOf(frontmatter.started, frontmatter.ended),
    tokens_used: frontmatter.tokens_used ?? null,
    cost_usd: frontmatter.cost_usd ?? null,
    phases: phases.length,
    tool_calls: calls.length,
    failed_tool_calls: calls.filter((call) => call.failed).length,
    decisions: count("decision"),
    errors: count("error"),
    user_messages: count("user"),
    tools: [...tools.values()].sort((a, b) => b.calls - a.calls || (a.name < b.name ? -1 : 1)),
    subagents: frontmatter.subagents ?? [],
    engines: row ? enginesOf(row, rounds) : [],
    children: tree.children.flatMap((child) => flatten(child, 1)),
    total: tree.total,
  };
}

function durationOf(started: string, ended: string | null | undefined): number | null {
  const ms = ended == null ? NaN : Date.parse(ended) - Date.parse(started);
  return Number.isNaN(ms) ? null : ms;
}

function flatten({ children, ...node }: SessionNode, depth: number): SessionStats["children"] {
  const { session_id, title, status, tokens_used, cost_usd, started, ended } = node;
  const duration_ms = durationOf(started, ended);
  const own = { session_id, title, status, depth, tokens_used, cost_usd, duration_ms };
  return [own, ...children.flatMap((child) => flatten(child, depth + 1))];
}

type EngineShare = SessionStats["engines"][number];
type CountedShare = Omit<EngineShare, "cost_usd"> & { costMicroUsd: number | null };

/** The rounds of the session itself and of subagents without a session: what has one of its own counts there, with its tokens. */
async function ownRounds(parts: SessionParts, id: string, tree: SessionNode): Promise<Breadcrumb[]> {
  const { frontmatter, text, bodyStart } = await parts.records.read(id);
  const all = await breadcrumbsOf(parts, id, frontmatter, parseItems(text.slice(bodyStart)));
  const rounds = all.filter(({ kind }) => kind === "round");
  if (rounds.every(({ depth }) => depth === 0)) return rounds;
  const origins: SubagentOrigin[] = [];
  for (const { session_id: child } of tree.children.flatMap((each) => flatten(each, 1))) {
    const record = await parts.records.read(child);
    const origin = originIn(parseItems(record.text.slice(record.bodyStart)));
    if (origin) origins.push(origin);
  }
  // Earlier versions did not write down which subagent a round is of.
  const isElsewhere = (round: Breadcrumb): boolean =>
    round.call === undefined ? tree.children.length > 0 : origins.some((origin) => isRoundOf(round, origin));
  return rounds.filter((round) => round.depth === 0 || !isElsewhere(round));
}

/** What each engine used, by the entries of its tokens; breadcrumbs tell its rounds. One that used nothing is left out. */
function enginesOf({ engines, used }: SessionRow, rounds: readonly Breadcrumb[]): EngineShare[] {
  const shares = new Map<string | null, CountedShare>();
  const shareOf = (engine: string | null): CountedShare => {
    const share = shares.get(engine) ?? { engine, rounds: 0, tokens_used: null, costMicroUsd: null };
    shares.set(engine, share);
    return share;
  };
  for (const engine of engines) shareOf(engine);
  for (const { engine } of rounds) if (engine !== undefined) shareOf(engine).rounds += 1;
  const isAny = shares.size > 0 || used.some(({ engine }) => engine !== null);
  for (const { engine, tokens, cost_micro_usd } of isAny ? used : []) {
    const share = shareOf(engine);
    share.tokens_used = sumIfAny(share.tokens_used, tokens);
    share.costMicroUsd = sumIfAny(share.costMicroUsd, cost_micro_usd);
  }
  const isNothing = ({ rounds: count, tokens_used: tokens, costMicroUsd: cost }: CountedShare): boolean =>
    count === 0 && tokens === 0 && (cost ?? 0) === 0;
  return [...shares.values()].flatMap(({ costMicroUsd, ...share }) =>
    isNothing({ ...share, costMicroUsd })
      ? []
      : [{ ...share, cost_usd: costMicroUsd === null ? null : costMicroUsd / 1e6 }],
  );
}
