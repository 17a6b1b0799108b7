import type { SessionList } from "../../contract/api/session-list.ts";
import type { Status } from "../../contract/session-values.ts";
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
  const rows = sessions.map((row): Cell[] => [
    row.session_id,
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
