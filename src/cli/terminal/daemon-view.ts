import type { SchedulerEvent, Standing } from "../../contract/api/scheduler.ts";
import type { BackedOff } from "./back-off-digest.ts";
import { cleanLine } from "./clean.ts";
import type { Look } from "./run-words.ts";
import { duration } from "./time.ts";
import { fit, padTo, widthOf } from "./width.ts";
import { wrapWords } from "./wrap.ts";

/** What the scheduler tells, one line each: the time, the bead, its run, what happened. */
export class DaemonView {
  readonly #look: Look;
  /** Columns are as wide as what has stood in them so far, because what is to come is not known. */
  #beadWidth = 8;
  #runWidth = 16;

  readonly #once: boolean;

  /** `once`: the scheduler ends when nothing is left, and tries nothing a second time. */
  constructor(look: Look, once = false) {
    this.#look = look;
    this.#once = once;
  }

  line(event: SchedulerEvent): string {
    const { colors } = this.#look;
    const time = colors.dim(clockTime(this.#look.nowMs()));
    if (!("bead_id" in event)) return this.#wrapped(time, this.#general(event));
    const bead = cleanLine(event.bead_id);
    const run = "run_id" in event && event.run_id !== null ? event.run_id : "";
    this.#beadWidth = Math.max(this.#beadWidth, widthOf(bead));
    this.#runWidth = Math.max(this.#runWidth, widthOf(run));
    const names = `${padTo(bead, this.#beadWidth)}  ${colors.dim(padTo(run, this.#runWidth))}`;
    return this.#wrapped(time, `${names}  ${this.#ofBead(event)}`);
  }

  /** What goes on below a line stands below its text, so that times and beads still stand out. */
  #wrapped(time: string, text: string): string {
    const { onTerminal, width } = this.#look;
    const lines = onTerminal ? wrapWords(text, width - 10) : [text];
    return `${time}  ${lines.join(`\n${" ".repeat(10)}`)}`;
  }

  /** Several beads that wait for one and the same thing. */
  group(events: BackedOff[]): string {
    if (events.length === 1) return this.line(events[0]!);
    const { colors, nowMs } = this.#look;
    const beads = events.map(({ bead_id }) => cleanLine(bead_id)).join(", ");
    const { message, hint } = events[0]!;
    const what = `${cleanLine(message)}: ${events.length} beads wait: ${beads}${hint === null ? "" : ` (${cleanLine(hint)})`}`;
    return `${colors.dim(clockTime(nowMs()))}  ${colors.red("✗")} ${what}`;
  }

  #general(event: Exclude<SchedulerEvent, { bead_id: string }>): string {
    const { colors } = this.#look;
    switch (event.type) {
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
        return [colors.dim("nothing to do"), ...standingWords(event)].join(" · ");
      case "scheduler.stopping":
        return `stopping ${count(event.driven, "run")}; the next daemon goes on with what was interrupted`;
      case "scheduler.closed":
        return ["ended", ...standingWords(event)].join(" · ");
    }
  }

  #ofBead(event: Extract<SchedulerEvent, { bead_id: string }>): string {
    const { colors } = this.#look;
    switch (event.type) {
      case "scheduler.started":
        return `${colors.cyan("▸")} started  ${colors.dim(cleanLine(event.title))}`.trimEnd();
      case "scheduler.resumed":
        return `${colors.cyan("▸")} resumed  ${colors.dim(`was ${event.was}`)}`;
      case "scheduler.interrupted":
        return `${colors.yellow("⏸")} interrupted`;
      case "scheduler.left":
        return `${colors.yellow("!")} ${leftWords[event.because]}; clew run ${cleanLine(event.bead_id)} starts another`;
      case "scheduler.backed_off": {
        const what = this.#once ? notBegun(event) : `backs off, tried again in ${duration(event.wait_ms)}`;
        return `${colors.red("✗")} ${what}: ${withHint(event)}`;
      }
      case "scheduler.rested":
        return this.#rested(event);
    }
  }

  #rested({ run_id, status, message, actions }: Extract<SchedulerEvent, { type: "scheduler.rested" }>): string {
    const { colors } = this.#look;
    if (status === "completed") return `${colors.green("✓")} completed`;
    if (status === "cancelled") return `${colors.dim("–")} cancelled`;
    const command = colors.cyan(cleanLine(actions[0] ?? `clew run show ${run_id}`));
    if (status === "pending_merge") return `${colors.yellow("⏸")} waits for your review  ${command}`;
    const why = message === null ? "" : `: ${this.#shortened(cleanLine(message))}`;
    return `${colors.red("⏸")} ${status}${why}  ${command}`;
  }

  /** A reason may be a page; `clew run show` has all of it. */
  #shortened(text: string): string {
    return fit(text, Math.max(40, this.#look.width - this.#beadWidth - this.#runWidth - 60));
  }
}

const leftWords = {
  completed: "left alone: its run completed, yet the bead is open as before",
  cancelled: "left alone until the bead changes: its run was cancelled",
};

function notBegun({ run_id }: BackedOff): string {
  return run_id === null ? "not started" : "not resumed";
}

/** `10:32:05`, in the time zone of the machine. */
function clockTime(ms: number): string {
  const time = new Date(ms);
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map((part) => String(part).padStart(2, "0")).join(":");
}

function count(many: number, what: string): string {
  return `${many} ${what}${many === 1 ? "" : "s"}`;
}

function withHint({ message, hint }: { message: string; hint: string | null }): string {
  return cleanLine(hint === null ? message : `${message} (${hint})`);
}

function standingWords({ blocked, failed, pending_merge, interrupted, stopped, backed_off }: Standing): string[] {
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
