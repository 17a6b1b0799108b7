import type { Breadcrumb } from "../../contract/breadcrumb.ts";
import type { SessionStats } from "../../contract/api/session-list.ts";
import type { SessionNode } from "../../contract/api/session-report.ts";
import type { Frontmatter } from "../../contract/session.ts";
import type { SessionParts } from "./parts.ts";
import { showSession } from "./show.ts";
import { sumIfAny, treeOf } from "./tree.ts";

/** What one session adds up to, with its engines and the sessions below it. */
export async function statsOf(parts: SessionParts, id: string): Promise<SessionStats> {
  const { frontmatter, phases } = await showSession(parts, id);
  const { breadcrumbs } = await parts.breadcrumbs.list(id);
  const tree = await treeOf(parts, id);
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
    engines: enginesOf(frontmatter, breadcrumbs),
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

/**
 * One engine has used it all. Of several, breadcrumbs tell what each used; what they do not tell belongs to none, so that the
 * shares add up to what the session says.
 */
function enginesOf(frontmatter: Frontmatter, breadcrumbs: readonly Breadcrumb[]): EngineShare[] {
  const shares = new Map<string, EngineShare>();
  const shareOf = (engine: string): EngineShare => {
    const share = shares.get(engine) ?? { engine, rounds: 0, tokens_used: null, cost_usd: null };
    shares.set(engine, share);
    return share;
  };
  for (const each of frontmatter.engine_sessions ?? []) {
    const engine = (each as { engine?: unknown } | null)?.engine;
    if (typeof engine === "string") shareOf(engine);
  }
  for (const { kind, engine, tokens, cost_usd } of breadcrumbs) {
    if (kind !== "round" || engine === undefined) continue;
    const share = shareOf(engine);
    share.rounds += 1;
    share.tokens_used = sumIfAny(share.tokens_used, tokens ? tokens.input + tokens.output : null);
    share.cost_usd = sumIfAny(share.cost_usd, cost_usd ?? null);
  }
  const { tokens_used = null, cost_usd = null } = frontmatter;
  const all = [...shares.values()];
  if (all.length === 0) return [];
  const [only, ...others] = all;
  if (others.length === 0) return [{ ...only!, tokens_used, cost_usd }];
  const tokensLeft = rest(
    tokens_used,
    all.map((share) => share.tokens_used),
  );
  const costLeft = rest(
    cost_usd,
    all.map((share) => share.cost_usd),
  );
  // Where the parts make more than the whole, they are told for another whole, and count for nothing.
  const kept = all.map((share) => ({
    ...share,
    tokens_used: tokensLeft.fits ? share.tokens_used : null,
    cost_usd: costLeft.fits ? share.cost_usd : null,
  }));
  if (tokensLeft.left === null && costLeft.left === null) return kept;
  return [...kept, { engine: null, rounds: 0, tokens_used: tokensLeft.left, cost_usd: costLeft.left }];
}

/** What the parts leave of a whole; null when nothing is left. */
function rest(whole: number | null, parts: (number | null)[]): { fits: boolean; left: number | null } {
  const sum = parts.reduce(sumIfAny, null) ?? 0;
  if (whole === null) return { fits: false, left: null };
  // Costs are no whole numbers: what is less than a millionth of a dollar is a fault of counting.
  if (sum > whole + 1e-6) return { fits: false, left: whole };
  return { fits: true, left: whole - sum < 1e-6 ? null : whole - sum };
}
