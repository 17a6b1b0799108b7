import type { AnyInboxItem } from "../../contract/api/inbox.ts";
import type { ListedSession } from "../../contract/api/session-list.ts";
import type { Overview, RunningRun } from "../../contract/api/status.ts";
import { priorityOf, beadTypeOf } from "../../contract/bead.ts";
import type { Screen } from "../context.ts";
import { priorityCell } from "./bead-words.ts";
import { clean, cleanLine } from "./clean.ts";
import { runStatusCell } from "./run-words.ts";
import { sessionStatusCell } from "./session-list-view.ts";
import { nextCommands, viewNextCommands } from "./status-commands.ts";
import { table, type Cell } from "./table.ts";
import { ago, span } from "./time.ts";
import { viewUnreadable } from "./unreadable-view.ts";
import { fit } from "./width.ts";
import { wrapLines } from "./wrap.ts";

/** So many of a section are shown; the command beside its name has the rest. */
const mostItems = 5;
const mostPaused = 3;
const mostReady = 6;
const mostUnreadable = 3;

/** How things stand, the most urgent first. What there is none of is left out. */
export function viewStatus(screen: Screen, overview: Overview, hasDaemon = false): string {
  const { needs_you, running, paused, ready, ended, unreadable } = overview;
  const sections = [
    section(screen, "Needs you", needs_you, mostItems, "clew inbox", (items) => viewItems(screen, items)),
    section(screen, "Running", running, Infinity, "", (all) => viewRunning(screen, all)),
    section(screen, "Paused", paused, mostPaused, "clew session list --status paused", (some) =>
      viewPaused(screen, some),
    ),
    section(screen, "Ready", ready, mostReady, "clew bead ready", (beads) =>
      rows(
        screen,
        beads.map((bead) => [
          cleanLine(bead.id),
          priorityCell(screen.colors, priorityOf(bead)),
          cleanLine(bead.title),
          { text: cleanLine(beadTypeOf(bead)), paint: screen.colors.dim },
        ]),
      ),
    ),
    endedSection(screen, ended, overview.ended_since_yesterday),
    section(screen, "Unreadable", unreadable, mostUnreadable, "clew session list", (some) =>
      some.map(({ path, reason }) => viewUnreadable(screen, path, reason)).join("\n"),
    ),
  ];
  const isQuiet = needs_you.length + running.length + paused.length + ready.length === 0;
  const quietText = isQuiet
    ? wrapLines(screen, "Nothing waits for you, nothing runs, and no bead is ready.").join("\n")
    : "";
  return [...sections, quietText, viewNextCommands(screen, nextCommands(overview, hasDaemon))]
    .filter((each) => each !== "")
    .join("\n\n");
}

function section<T>(
  screen: Screen,
  title: string,
  all: readonly T[],
  most: number,
  more: string,
  view: (some: readonly T[]) => string,
): string {
  if (all.length === 0) return "";
  const { colors } = screen;
  const hiddenCount = all.length - most;
  const rest = hiddenCount > 0 ? `\n  ${moreOf(screen, hiddenCount, more)}` : "";
  return `${colors.bold(title)} ${colors.dim(String(all.length))}\n${view(all.slice(0, most))}${rest}`;
}

/** Of what ended since yesterday, how many are shown; or the last ones, when that was longer ago. */
function endedSection(screen: Screen, ended: readonly ListedSession[], recentCount: number): string {
  if (ended.length === 0) return "";
  const { colors } = screen;
  const countText = recentCount > ended.length ? `${ended.length} of ${recentCount}` : String(ended.length);
  const since = recentCount > 0 ? `${countText} since yesterday` : "before yesterday";
  const rest =
    recentCount > ended.length ? `\n  ${moreOf(screen, recentCount - ended.length, "clew session list")}` : "";
  return `${colors.bold("Ended")} ${colors.dim(since)}\n${viewEnded(screen, ended)}${rest}`;
}

function moreOf({ colors }: Screen, hiddenCount: number, command: string): string {
  return `${colors.dim(`… ${hiddenCount} more:`)} ${colors.cyan(command)}`;
}

/** What it was about, and below it the command that goes on with it. */
function viewPaused(screen: Screen, paused: readonly ListedSession[]): string {
  return paused
    .map(({ session_id, title, started }) => {
      const text = `${cleanLine(title)} (started ${ago(started, screen.nowMs())})`;
      return viewItem(screen, "⏸", text, `clew session resume ${session_id}`);
    })
    .join("\n");
}

function viewItem(screen: Screen, mark: string, text: string, command: string): string {
  const { yellow, cyan } = screen.colors;
  const [head = "", ...more] = wrapLines(screen, text, "    ");
  return [`  ${yellow(mark)} ${head.trimStart()}`, ...more, `    ${cyan(command)}`].join("\n");
}

/** The question in a line or two, and below it the one command that answers it. */
function viewItems(screen: Screen, items: readonly AnyInboxItem[]): string {
  return items
    .map((item) => {
      const [first = ""] = clean(itemText(item)).split("\n");
      const text = screen.onTerminal ? fit(first, 2 * (screen.width - 4)) : first;
      return viewItem(screen, item.kind === "approval_required" ? "⏸" : "?", cleanLine(text), answerOf(item));
    })
    .join("\n");
}

/** With what it is about: several runs may wait at the same step. */
function itemText(item: AnyInboxItem): string {
  return "title" in item && item.title !== undefined ? `${item.title}: ${item.text}` : item.text;
}

function answerOf(item: AnyInboxItem): string {
  if ("next" in item) return cleanLine(item.next);
  if (!("session_id" in item)) {
    return cleanLine("run" in item ? `clew run resume ${item.run}` : `clew run ${item.bead}`);
  }
  if (item.kind === "permission") return cleanLine(`clew inbox answer ${item.id} allow`);
  if (item.run === undefined) return cleanLine(`clew inbox answer ${item.id} "…"`);
  return cleanLine(item.kind === "approval_required" ? `clew run diff ${item.run}` : `clew run retry ${item.run}`);
}

function viewRunning(screen: Screen, all: readonly (RunningRun | ListedSession)[]): string {
  return rows(
    screen,
    all.map((each) => {
      const time = span(each.started, screen.nowMs());
      if ("session_id" in each) {
        return [each.session_id, sessionStatusCell(screen.colors, each.status), cleanLine(each.title), time];
      }
      const { done, total } = each.progress;
      const step = each.step === null ? "" : `, at ${each.step}`;
      const text = cleanLine(`${each.bead_title} (${done} of ${total} steps${step})`);
      return [each.id, runStatusCell(screen.colors, each.status), text, time];
    }),
  );
}

function viewEnded(screen: Screen, ended: readonly ListedSession[]): string {
  return rows(
    screen,
    ended.map((each) => [
      each.session_id,
      sessionStatusCell(screen.colors, each.status),
      cleanLine(each.title),
      { text: ago(each.ended ?? each.started, screen.nowMs()), paint: screen.colors.dim },
    ]),
  );
}

/** Lines of an id, how it stands, what it is, and one more fact. */
function rows(screen: Screen, cells: Cell[][]): string {
  const columns = [
    { title: "", isId: true as const },
    { title: "" },
    { title: "", wraps: 2 },
    { title: "", givesWay: 1 },
  ];
  const lines = table({ ...screen, width: screen.width - 2 }, columns, cells);
  return lines
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
}
