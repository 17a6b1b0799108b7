import type { AnyItem } from "../../app/inbox-items.ts";
import type { ListedSession } from "../../app/lists.ts";
import type { Overview, RunningRun } from "../../app/status.ts";
import { priorityOf, typeOf } from "../../contract/bead.ts";
import { priorityCell } from "./bead-words.ts";
import { clean, cleanLine } from "./clean.ts";
import type { Colors } from "./colors.ts";
import { statusCell, type Look } from "./run-words.ts";
import { sessionStatusCell } from "./session-list-view.ts";
import { nextCommands, viewCommandLines } from "./status-commands.ts";
import { table, type Cell } from "./table.ts";
import { ago, span } from "./time.ts";
import { fit } from "./width.ts";
import { wrapped } from "./wrap.ts";

/** So many of a section are shown; the command beside its name has the rest. */
const mostItems = 5;
const mostReady = 6;

/** How things stand, the most urgent first. What there is none of is left out. */
export function viewStatus(look: Look, overview: Overview): string {
  const { needs_you, running, ready, ended } = overview;
  const sections = [
    section(look, "Needs you", needs_you, mostItems, "clew inbox", (items) => viewItems(look, items)),
    section(look, "Running", running, Infinity, "", (all) => viewRunning(look, all)),
    section(look, "Ready", ready, mostReady, "clew bead ready", (beads) =>
      rows(
        look,
        beads.map((bead) => [
          cleanLine(bead.id),
          priorityCell(look.colors, priorityOf(bead)),
          cleanLine(bead.title),
          { text: cleanLine(typeOf(bead)), paint: look.colors.dim },
        ]),
      ),
    ),
    section(look, "Ended", ended, Infinity, "", (all) => viewEnded(look, all)),
  ];
  const isQuiet = needs_you.length + running.length + ready.length === 0;
  const quiet = isQuiet ? wrapped(look, "Nothing waits for you, nothing runs, and no bead is ready.").join("\n") : "";
  return [...sections, quiet, viewCommandLines(look, nextCommands(overview))]
    .filter((each) => each !== "")
    .join("\n\n");
}

function section<T>(
  { colors }: Look,
  title: string,
  all: readonly T[],
  most: number,
  more: string,
  view: (some: readonly T[]) => string,
): string {
  if (all.length === 0) return "";
  const left = all.length - most;
  const rest = left > 0 ? `\n  ${colors.dim(`… ${left} more:`)} ${colors.cyan(more)}` : "";
  return `${colors.bold(title)} ${colors.dim(String(all.length))}\n${view(all.slice(0, most))}${rest}`;
}

/** The question in a line or two, and below it the one command that answers it. */
function viewItems(look: Look, items: readonly AnyItem[]): string {
  return items
    .map((item) => {
      const [first = ""] = clean(item.text).split("\n");
      const text = look.onTerminal ? fit(first, 2 * (look.width - 4)) : first;
      const [head = "", ...more] = wrapped(look, cleanLine(text), "    ");
      const mark = look.colors.yellow(item.kind === "approval_required" ? "⏸" : "?");
      return [`  ${mark} ${head.trimStart()}`, ...more, `    ${look.colors.cyan(answerOf(item))}`].join("\n");
    })
    .join("\n");
}

function answerOf(item: AnyItem): string {
  if (!("session_id" in item)) {
    return cleanLine("run" in item ? `clew run resume ${item.run}` : `clew run ${item.bead}`);
  }
  if (item.run === undefined) return cleanLine(`clew inbox answer ${item.id} "…"`);
  return cleanLine(
    item.kind === "approval_required"
      ? `clew run diff ${item.run} && clew run approve ${item.run}`
      : `clew run retry ${item.run}`,
  );
}

function viewRunning(look: Look, all: readonly (RunningRun | ListedSession)[]): string {
  return rows(
    look,
    all.map((each) => {
      const time = span(each.started, look.nowMs());
      if ("session_id" in each) {
        return [each.session_id, sessionStatusCell(look.colors, each.status), cleanLine(each.title), time];
      }
      const { done, total } = each.progress;
      const step = each.step === null ? "" : `, at ${each.step}`;
      const text = cleanLine(`${each.bead_title} (${done} of ${total} steps${step})`);
      return [each.id, statusCell(look.colors, each.status), text, time];
    }),
  );
}

function viewEnded(look: Look, ended: readonly ListedSession[]): string {
  return rows(
    look,
    ended.map((each) => [
      each.session_id,
      sessionStatusCell(look.colors, each.status),
      cleanLine(each.title),
      dim(look.colors, ago(each.ended ?? each.started, look.nowMs())),
    ]),
  );
}

function dim({ dim: paint }: Colors, text: string): Cell {
  return { text, paint };
}

/** Lines of an id, how it stands, what it is, and one more fact. */
function rows(look: Look, cells: Cell[][]): string {
  const columns = [
    { title: "", isId: true as const },
    { title: "" },
    { title: "", wraps: 2 },
    { title: "", givesWay: 1 },
  ];
  const drawn = table({ ...look, width: look.width - 2 }, columns, cells);
  return drawn
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
}
