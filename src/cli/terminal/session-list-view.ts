import type { SessionList } from "../../contract/api/session-list.ts";
import type { Status } from "../../contract/session-values.ts";
import { cleanLine } from "./clean.ts";
import type { Colors } from "./colors.ts";
import type { Look } from "./run-words.ts";
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

const none = 'No sessions. Start one: clew session start "What you are about to do"';
const noneFit =
  "No session is like that. clew session list shows all, clew session list --archived the archived ones too.";

export function viewSessions(look: Look, { sessions, unreadable }: SessionList, isFiltered: boolean): string {
  const { colors } = look;
  const rows = sessions.map((row): Cell[] => [
    row.session_id,
    sessionStatusCell(colors, row.status),
    ago(row.started, look.nowMs()),
    row.participants.map(cleanLine).join(" "),
    String(row.phases),
    row.errors === 0 ? "" : { text: String(row.errors), paint: colors.red },
    number(row.tokens_used),
    cleanLine(row.title),
  ]);
  return [
    rows.length > 0 ? table(look, columns, rows) : isFiltered ? noneFit : none,
    ...unreadable.map(({ path, reason }) => viewUnreadable(look, path, reason)),
  ].join("\n");
}

export function sessionStatusCell(colors: Colors, status: Status): Exclude<Cell, string> {
  const paint: Record<Status, (text: string) => string> = {
    active: colors.cyan,
    paused: colors.yellow,
    completed: colors.green,
    failed: colors.red,
    abandoned: colors.dim,
  };
  return { text: status, paint: paint[status] };
}
