import type { SessionNode } from "../../contract/api/session-report.ts";
import type { SessionRow } from "../../contract/session-row.ts";
import { newestRowFirst, rowPlace } from "../../session/index/filter.ts";
import { addToList } from "../../text/add-to-list.ts";
import { sumIfAny } from "../../text/sum-if-any.ts";
import { bringIndexUpToDate } from "./list.ts";
import type { SessionParts } from "./parts.ts";
import { showSession } from "./show.ts";

/** Deeper ones are left out: no agent works so far below another. */
const maxDepth = 50;
const defaultTrees = 20;

/** The children of a session, oldest first. */
type ChildrenOf = (id: string) => readonly SessionRow[];

/** The session with those of its subagents. */
export async function treeOf(parts: SessionParts, id: string): Promise<SessionNode> {
  await bringIndexUpToDate(parts);
  const root = await parts.projections.ask((index) => index.get(id));
  // An unreadable session has no row; reading it tells why.
  if (!root) await showSession(parts, id);
  return parts.projections.ask((index) =>
    nodeOf(index.get(id)!, (parent) => index.newest({ parent, archived: true }, Infinity).toReversed(), new Set([id])),
  );
}

/** The newest sessions that have subagents with sessions of their own, newest first. */
export async function newestTrees(parts: SessionParts, limit = defaultTrees): Promise<SessionNode[]> {
  await bringIndexUpToDate(parts);
  return parts.projections.ask((index) => {
    const rows = index.newest({ archived: true }, Infinity);
    const byId = new Map(rows.map((row) => [row.session_id, row]));
    const children = new Map<string, SessionRow[]>();
    for (const row of rows) if (row.parent !== null) addToList(children, row.parent, row);
    const childrenOf: ChildrenOf = (id) => children.get(id) ?? [];
    const roots = rows.filter(
      ({ session_id, parent, archived }) =>
        !archived && (parent === null || !byId.has(parent)) && childrenOf(session_id).length > 0,
    );
    return roots.slice(0, limit).map((row) => nodeOf(row, childrenOf, new Set([row.session_id])));
  });
}

/** `seen` holds every session of the tree so far: each counts once, whatever the files say of their parents. */
function nodeOf(row: SessionRow, childrenOf: ChildrenOf, seen: Set<string>, depth = 0): SessionNode {
  const { session_id, title, status, kind, participants, started, ended, tokens_used, cost_usd } = row;
  const unseen = depth >= maxDepth ? [] : childrenOf(session_id).filter((child) => !seen.has(child.session_id));
  for (const child of unseen) seen.add(child.session_id);
  const children = unseen
    .toSorted((a, b) => newestRowFirst(rowPlace(b), rowPlace(a)))
    .map((child) => nodeOf(child, childrenOf, seen, depth + 1));
  const own = { sessions: 1, tokens_used, cost_usd };
  const total = children.reduce((sum, child) => add(sum, child.total), own);
  return { session_id, title, status, kind, participants, started, ended, tokens_used, cost_usd, total, children };
}

type Sum = SessionNode["total"];

function add(a: Sum, b: Sum): Sum {
  return {
    sessions: a.sessions + b.sessions,
    tokens_used: sumIfAny(a.tokens_used, b.tokens_used),
    cost_usd: sumIfAny(a.cost_usd, b.cost_usd),
  };
}
