import type { ContextFile, TurnContext } from "../../contract/api/turn.ts";
import { formatCount } from "../../text/figures.ts";
import type { Screen } from "../context.ts";
import { cleanLine } from "./clean.ts";
import { table, type Cell, type Column } from "./table.ts";

const columns: Column[] = [
  { title: "FILE", isId: true },
  { title: "LIST" },
  { title: "BYTES", align: "right", givesWay: 1 },
  { title: "TOKENS", align: "right" },
  { title: "", givesWay: 2 },
];

/** What the next plan would be given, aligned; then what was taken out, and how much all of it is. */
export function viewTurnContext(screen: Screen, context: TurnContext): string {
  const { colors } = screen;
  const { files, removed, empty, open, tokens, budget, turn, after, agent, session_id: session } = context;
  const head = `${colors.bold(`Turn ${turn}`)} of ${session}, planned by ${cleanLine(agent)}${after === null ? "" : `, after ${after}`}`;
  const none = "No files: name some in session.context or .clew/global.context, one path or pattern a line.";
  const listed =
    files.length === 0
      ? none
      : table(
          screen,
          columns,
          files.map((file) => rowOf(screen, file)),
        );
  const out = removed.map(
    ({ path, level, by }) => `  ${colors.dim(`${cleanLine(path)} (${level}) taken out by ${cleanLine(by)}`)}`,
  );
  const unmatched = empty
    .filter(({ text }) => !files.some(({ path }) => path === text))
    .map(
      ({ level, line, text, why }) => `  ${colors.yellow(cleanLine(text))} ${colors.dim(`(${level}:${line})`)} ${why}`,
    );
  const waits =
    open === null
      ? []
      : [`The plan of turn ${open} has to be executed first: clew session execute ${open} -s ${session}`];
  const sum = `About ${formatCount(tokens)} tokens with the agent's role, memos and report; ${formatCount(budget)} may be sent.`;
  return [
    head,
    "",
    listed,
    ...(out.length === 0 ? [] : ["", ...out]),
    ...(unmatched.length === 0 ? [] : ["", ...unmatched]),
    "",
    tokens > budget ? colors.red(sum) : sum,
    ...waits,
  ].join("\n");
}

function rowOf({ colors }: Screen, { path, level, bytes, tokens, missing, skipped }: ContextFile): Cell[] {
  const why = missing ? "missing" : skipped === undefined ? "" : `not shown: ${cleanLine(skipped)}`;
  return [
    cleanLine(path),
    level,
    missing ? "" : formatCount(bytes),
    missing || skipped !== undefined ? "" : formatCount(tokens),
    { text: why, paint: colors.yellow },
  ];
}
