import type { DaemonEvent } from "../../contract/api/daemon.ts";
import type { SchedulerEvent, SchedulerStanding } from "../../contract/api/scheduler.ts";
import type { Screen } from "../context.ts";
import type { BackedOff } from "./back-off-digest.ts";
import { cleanLine } from "./clean.ts";
import { clockTime, duration } from "./time.ts";
import { fit, padTo, widthOf } from "./width.ts";
import { count } from "./words.ts";
import { wrapWords } from "./wrap.ts";

/** The events of a daemon and its scheduler, one line each: the time, the bead, its run, what happened. */
export class DaemonView {
  readonly #screen: Screen;
  readonly #once: boolean;
  /** Columns are as wide as what has stood in them so far, because later lines are not known yet. */
  #beadWidth = 8;
  #runWidth = 16;

  /** `once`: the scheduler ends when nothing is left, and tries nothing a second time. */
  constructor(screen: Screen, once = false) {
    this.#screen = screen;
    this.#once = once;
  }

  line(event: SchedulerEvent | DaemonEvent): string {
    const { colors } = this.#screen;
    const time = colors.dim(clockTime(this.#screen.nowMs()));
    if (!("bead_id" in event)) return this.#wrap(time, this.#daemonText(event));
    const bead = cleanLine(event.bead_id);
    const run = "run_id" in event && event.run_id !== null ? event.run_id : "";
    this.#beadWidth = Math.max(this.#beadWidth, widthOf(bead));
    this.#runWidth = Math.max(this.#runWidth, widthOf(run));
    const names = `${padTo(bead, this.#beadWidth)}  ${colors.dim(padTo(run, this.#runWidth))}`;
    return this.#wrap(time, `${names}  ${this.#beadText(event)}`);
  }

  /** Further lines are indented to the text, so that times and beads still stand out. */
  #wrap(time: string, text: string): string {
    const { onTerminal, width } = this.#screen;
    const lines = onTerminal ? wrapWords(text, width - 10) : [text];
    return `${time}  ${lines.join(`\n${" ".repeat(10)}`)}`;
  }

  /** Several beads that wait for one and the same thing. */
  group(events: BackedOff[]): string {
    if (events.length === 1) return this.line(events[0]!);
    const { colors, nowMs } = this.#screen;
    const beads = events.map(({ bead_id }) => cleanLine(bead_id)).join(", ");
    const { message, hint } = events[0]!;
    const what = `${cleanLine(message)}: ${events.length} beads wait: ${beads}${hint === null ? "" : ` (${cleanLine(hint)})`}`;
    return `${colors.dim(clockTime(nowMs()))}  ${colors.red("✗")} ${what}`;
  }

  #daemonText(event: Exclude<SchedulerEvent, { bead_id: string }> | DaemonEvent): string {
    const { colors } = this.#screen;
    switch (event.type) {
      case "daemon.listening": {
        const { pid, socket, url } = event.daemon;
        return cleanLine(`listening at ${socket}${url === null ? "" : ` and ${url}`} · process ${pid}`);
      }
      case "daemon.trouble":
        return `${colors.red("✗")} ${cleanLine(event.message)}`;
      case "scheduler.opened": {
        const facts = [
          `${count(event.ready, "bead")} ready`,
          `${count(event.to_resume, "run")} to take up`,
          ...(event.driven_elsewhere > 0 ? [`${count(event.driven_elsewhere, "run")} driven by others`] : []),
          `at most ${event.limit} at once`,
        ];
        return facts.join(" · ");
      }
      case "scheduler.trouble":
        return `${colors.red("✗")} ${withHint(event)}`;
      case "scheduler.idle":
        return [colors.dim("nothing to do"), ...standingFacts(event)].join(" · ");
      case "scheduler.stopping":
        return `stopping ${count(event.driven, "run")}; the next daemon goes on with what was interrupted`;
      case "scheduler.closed":
        return ["ended", ...standingFacts(event)].join(" · ");
    }
  }

  #beadText(event: Extract<SchedulerEvent, { bead_id: string }>): string {
    const { colors } = this.#screen;
    switch (event.type) {
      case "scheduler.started":
        return `${colors.cyan("▸")} started  ${colors.dim(cleanLine(event.title))}`.trimEnd();
      case "scheduler.resumed":
        return `${colors.cyan("▸")} resumed  ${colors.dim(`was ${event.was}`)}`;
      case "scheduler.interrupted":
        return `${colors.yellow("⏸")} interrupted`;
      case "scheduler.left":
        return `${colors.yellow("!")} ${leftReasons[event.because]}; clew run ${cleanLine(event.bead_id)} starts another`;
      case "scheduler.backed_off": {
        const notStarted = event.run_id === null ? "not started" : "not resumed";
        const what = this.#once ? notStarted : `backs off, tried again in ${duration(event.wait_ms)}`;
        return `${colors.red("✗")} ${what}: ${withHint(event)}`;
      }
      case "scheduler.rested":
        return this.#restedText(event);
    }
  }

  #restedText({ run_id, status, message, actions }: Extract<SchedulerEvent, { type: "scheduler.rested" }>): string {
    const { colors } = this.#screen;
    if (status === "completed") return `${colors.green("✓")} completed`;
    if (status === "cancelled") return `${colors.dim("–")} cancelled`;
    const command = colors.cyan(cleanLine(actions[0] ?? `clew run show ${run_id}`));
    if (status === "pending_merge") return `${colors.yellow("⏸")} waits for your review  ${command}`;
    const why = message === null ? "" : `: ${this.#shorten(cleanLine(message))}`;
    return `${colors.red("⏸")} ${status}${why}  ${command}`;
  }

  /** A reason may be a page; `clew run show` has all of it. */
  #shorten(text: string): string {
    return fit(text, Math.max(40, this.#screen.width - this.#beadWidth - this.#runWidth - 60));
  }
}

const leftReasons = {
  completed: "left alone: its run completed, yet the bead is open as before",
  cancelled: "left alone until the bead changes: its run was cancelled",
};

function withHint({ message, hint }: { message: string; hint: string | null }): string {
  return cleanLine(hint === null ? message : `${message} (${hint})`);
}

function standingFacts({
  blocked,
  failed,
  pending_merge,
  interrupted,
  stopped,
  backed_off,
}: SchedulerStanding): string[] {
  return [
    ...(blocked > 0 ? [`${blocked} blocked`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(pending_merge > 0 ? [`${pending_merge} to review`] : []),
    ...(stopped > 0 ? [`${stopped} stopped by a person`] : []),
    ...(backed_off > 0 ? [`${backed_off} backed off`] : []),
    ...(blocked + failed + pending_merge + stopped + backed_off > 0 ? ["clew inbox shows them"] : []),
    ...(interrupted > stopped ? [`${interrupted - stopped} interrupted`] : []),
  ];
}
