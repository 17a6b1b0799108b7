import type { AnyInboxItem } from "../../contract/api/inbox.ts";
import type { ListedSession } from "../../contract/api/session-list.ts";
import type { Overview, RunningRun } from "../../contract/api/status.ts";
import { priorityOf, typeOf } from "../../contract/bead.ts";
import { priorityCell } from "./bead-words.ts";
import { clean, cleanLine } from "./clean.ts";
import type { Colors } from "./colors.ts";
import { statusCell, type Look } from "./run-words.ts";
import { sessionStatusCell } from "./session-list-view.ts";
import { nextCommands, viewCommandLines } from "./status-commands.ts";
import { table, type Cell } from "./table.ts";
import { ago, span } from "./time.ts";
import { viewUnreadable } from "./unreadable-view.ts";
import { fit } from "./width.ts";
import { wrapped } from "./wrap.ts";

/** So many of a section are shown; the command beside its name has the rest. */
const mostItems = 5;
const mostPaused = 3;
const mostReady = 6;
const mostUnreadable = 3;

/** How things stand, the most urgent first. What there is none of is left out. */
export function viewStatus(look: Look, overview: Overview): string {
  const { needs_you, running, paused, ready, ended, unreadable } = overview;
  const sections = [
    section(look, "Needs you", needs_you, mostItems, "clew inbox", (items) => viewItems(look, items)),
    section(look, "Running", running, Infinity, "", (all) => viewRunning(look, all)),
    section(look, "Paused", paused, mostPaused, "clew session list --status paused", (some) => viewPaused(look, some)),
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
    endedSection(look, ended, overview.ended_since_yesterday),
    section(look, "Unreadable", unreadable, mostUnreadable, "clew session list", (some) =>
      some.map(({ path, reason }) => viewUnreadable(look, path, reason)).join("\n"),
    ),
  ];
  const isQuiet = needs_you.length + running.length + paused.length + ready.length === 0;
  const quiet = isQuiet ? wrapped(look, "Nothing waits for you, nothing runs, and no bead is ready.").join("\n") : "";
  return [...sections, quiet, viewCommandLines(look, nextCommands(overview))]
    .filter((each) => each !== "")
    .join("\n\n");
}

function section<T>(
  look: Look,
  title: string,
  all: readonly T[],
  most: number,
  more: string,
  view: (some: readonly T[]) => string,
): string {
  if (all.length === 0) return "";
  const { colors } = look;
  const left = all.length - most;
  const rest = left > 0 ? `\n  ${moreOf(look, left, more)}` : "";
  return `${colors.bold(title)} ${colors.dim(String(all.length))}\n${view(all.slice(0, most))}${rest}`;
}

/** Of what ended since yesterday, how many are shown; or the last ones, when that was longer ago. */
function endedSection(look: Look, ended: readonly ListedSession[], lately: number): string {
  if (ended.length === 0) return "";
  const { colors } = look;
  const counted = lately > ended.length ? `${ended.length} of ${lately}` : String(ended.length);
  const since = lately > 0 ? `${counted} since yesterday` : "before yesterday";
  const rest = lately > ended.length ? `\n  ${moreOf(look, lately - ended.length, "clew session list")}` : "";
  return `${colors.bold("Ended")} ${colors.dim(since)}\n${viewEnded(look, ended)}${rest}`;
}

function moreOf({ colors }: Look, left: number, command: string): string {
  return `${colors.dim(`… ${left} more:`)} ${colors.cyan(command)}`;
}

/** What it was about, and below it the command that goes on with it. */
function viewPaused(look: Look, paused: readonly ListedSession[]): string {
  return paused
    .map(({ session_id, title, started }) => {
      const text = `${cleanLine(title)} (started ${ago(started, look.nowMs())})`;
      const [head = "", ...more] = wrapped(look, text, "    ");
      const mark = look.colors.yellow("⏸");
      const command = look.colors.cyan(`clew session resume ${session_id}`);
      return [`  ${mark} ${head.trimStart()}`, ...more, `    ${command}`].join("\n");
    })
    .join("\n");
}

/** The question in a line or two, and below it the one command that answers it. */
function viewItems(look: Look, items: readonly AnyInboxItem[]): string {
  return items
    .map((item) => {
      const [first = ""] = clean(titled(item)).split("\n");
      const text = look.onTerminal ? fit(first, 2 * (look.width - 4)) : first;
      const [head = "", ...more] = wrapped(look, cleanLine(text), "    ");
      const mark = look.colors.yellow(item.kind === "approval_required" ? "⏸" : "?");
      return [`  ${mark} ${head.trimStart()}`, ...more, `    ${look.colors.cyan(answerOf(item))}`].join("\n");
    })
    .join("\n");
}

/** With what it is about: several runs may wait at the same step. */
function titled(item: AnyInboxItem): string {
  return "title" in item && item.title !== undefined ? `${item.title}: ${item.text}` : item.text;
}

function answerOf(item: AnyInboxItem): string {
  if (!("session_id" in item)) {
    return cleanLine("run" in item ? `clew run resume ${item.run}` : `clew run ${item.bead}`);
  }
  if (item.run === undefined) return cleanLine(`clew inbox answer ${item.id} "…"`);
  return cleanLine(item.kind === "approval_required" ? `clew run diff ${item.run}` : `clew run retry ${item.run}`);
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
