import type { ListedSession, SessionList } from "../../contract/api/session-list.ts";
import type { Status } from "../../contract/session-values.ts";
import { addToList } from "../../text/add-to-list.ts";
import type { Screen } from "../context.ts";
import { cleanLine } from "./clean.ts";
import type { Colors, Paint } from "./colors.ts";
import { table, type Cell, type Column } from "./table.ts";
import { ago, number } from "./time.ts";
import { viewUnreadable } from "./unreadable-view.ts";

const columns: Column[] = [
  { title: "SESSION", isId: true },
  { title: "STATUS" },
  { title: "STARTED", givesWay: 5 },
  { title: "WITH", givesWay: 4, least: 12 },
  { title: "PHASES", align: "right", givesWay: 1 },
  { title: "ERRORS", align: "right", givesWay: 3 },
  { title: "TOKENS", align: "right", givesWay: 2 },
  { title: "TITLE", wraps: 2 },
];

const noSessions = 'No sessions. Start one: clew session start "What you are about to do"';
const noMatches =
  "No session is like that. clew session list shows all, clew session list --archived the archived ones too.";

export function viewSessions(screen: Screen, { sessions, unreadable }: SessionList, isFiltered: boolean): string {
  const { colors } = screen;
  const rows = withChildrenBelow(sessions).map(([row, depth]): Cell[] => [
    depth === 0 ? row.session_id : `${"   ".repeat(depth - 1)}└─ ${row.session_id}`,
    sessionStatusCell(colors, row.status),
    ago(row.started, screen.nowMs()),
    row.participants.map(cleanLine).join(" "),
    String(row.phases),
    row.errors === 0 ? "" : { text: String(row.errors), paint: colors.red },
    number(row.tokens_used),
    cleanLine(row.title),
  ]);
  return [
    rows.length > 0 ? table(screen, columns, rows) : isFiltered ? noMatches : noSessions,
    ...unreadable.map(({ path, reason }) => viewUnreadable(screen, path, reason)),
  ].join("\n");
}

/** The sessions of subagents below that of their agent, where it is among them; each once, with how deep it stands. */
function withChildrenBelow(sessions: readonly ListedSession[]): [ListedSession, number][] {
  const ids = new Set(sessions.map(({ session_id }) => session_id));
  const children = new Map<string, ListedSession[]>();
  for (const each of sessions) {
    const { parent } = each;
    if (parent !== undefined && ids.has(parent)) addToList(children, parent, each);
  }
  const seen = new Set<string>();
  const below = (row: ListedSession, depth: number): [ListedSession, number][] => {
    if (seen.has(row.session_id)) return [];
    seen.add(row.session_id);
    const its = (children.get(row.session_id) ?? []).toReversed();
    return [[row, depth], ...its.flatMap((child) => below(child, depth + 1))];
  };
  const roots = sessions.filter(({ parent }) => parent === undefined || !ids.has(parent));
  // What is its own ancestor, by a person's hand, has no root.
  return [...roots, ...sessions].flatMap((row) => below(row, 0));
}

export function sessionStatusCell(colors: Colors, status: Status): Exclude<Cell, string> {
  const paint: Record<Status, Paint> = {
    active: colors.cyan,
    paused: colors.yellow,
    completed: colors.green,
    failed: colors.red,
    abandoned: colors.dim,
  };
  return { text: status, paint: paint[status] };
}
