import type { RunDetails } from "../../contract/api/run.ts";
import type { Grimoire } from "../../contract/grimoire.ts";
import type { JournalLine } from "../../contract/run-journal.ts";
import type { Screen, Terminal } from "../context.ts";
import { cleanLine, cleanJson } from "./clean.ts";
import { answerCommands, requestText, viewRequestWithCommands } from "./permission-view.ts";
import { LiveArea } from "./run-area.ts";
import { signalWords } from "./run-log-view.ts";
import { RunNow } from "./run-now.ts";
import { placeText, preparingWords, stepFacts, stepSign } from "./run-words.ts";
import { fit, widthOf } from "./width.ts";

/** Shows how a run goes on. */
export interface Reporter {
  line(line: JournalLine): void;
  /** Another process drives the run; this is how it stands. */
  showState(run: RunDetails): void;
  /** Lines about the run, for the person. */
  print(text: string): void;
  /** Draws nothing until it is released: a person types there. */
  hold(): void;
  release(): void;
  close(): void;
}

const drawIntervalMs = 100;

/** A run on a terminal: what is finished stays, below it stands what runs now. Elsewhere: a line for each event. */
export class TextReporter implements Reporter {
  readonly #screen: Screen & Pick<Terminal, "canRedraw">;
  readonly #area: LiveArea;
  readonly #now: RunNow;
  #timer: NodeJS.Timeout | undefined;
  #lastDrawMs = 0;
  /** Whether the person at the terminal is asked for permissions right here. */
  readonly #asks: boolean;
  #isHeld = false;

  constructor(
    screen: Screen & Pick<Terminal, "canRedraw">,
    write: (text: string) => void,
    { grimoire, asks = false }: { grimoire: Grimoire | undefined; asks?: boolean },
  ) {
    this.#screen = screen;
    this.#asks = asks;
    this.#area = new LiveArea(write);
    this.#now = new RunNow(grimoire, screen.nowMs());
  }

  /** Begins to draw. */
  open(): this {
    if (this.#screen.canRedraw) this.#timer = setInterval(() => this.draw(), drawIntervalMs);
    return this;
  }

  line(line: JournalLine): void {
    this.#now.add(line, this.#screen.nowMs());
    const text = this.#permanentLine(line);
    if (text !== undefined) this.print(text);
  }

  showState({ current, running_ms, steps }: RunDetails): void {
    const nowMs = this.#screen.nowMs();
    const started = steps.find(({ path, attempt }) => path === current?.path && attempt === current.attempt)?.started;
    this.#now.setState(current, running_ms, started == null ? nowMs : Date.parse(started), nowMs);
  }

  print(text: string): void {
    this.#area.print(text);
    // Many lines may come at once; the area then waits for the timer.
    if (this.#timer && Math.abs(this.#screen.nowMs() - this.#lastDrawMs) >= drawIntervalMs) this.draw();
  }

  hold(): void {
    this.#isHeld = true;
    this.#area.clear();
  }

  release(): void {
    this.#isHeld = false;
  }

  draw(): void {
    if (this.#isHeld) return;
    this.#lastDrawMs = this.#screen.nowMs();
    this.#area.draw(this.#now.lines(this.#screen, this.#lastDrawMs));
  }

  close(): void {
    clearInterval(this.#timer);
    this.#area.clear();
  }

  /** What stays on the screen. How the run ends is told when it has ended. */
  #permanentLine(line: JournalLine): string | undefined {
    const { colors } = this.#screen;
    switch (line.type) {
      case "workflow.step.started":
        if (this.#screen.canRedraw) return undefined;
        return this.#withFacts(`${stepSign(colors, "running")} ${placeText(line)}`, line.kind);
      case "step.prepared": {
        // Only a slow one is shown, which explains why nothing seemed to happen.
        const isSlow = line.status === "succeeded" && (line.duration_ms ?? 0) >= 1000;
        if (!isSlow) return undefined;
        return this.#withFacts(`${stepSign(colors, "succeeded")} ${preparingWords[line.kind]}`, stepFacts(line));
      }
      case "workflow.step.completed":
        return this.#withFacts(`${stepSign(colors, line.status)} ${placeText(line)}`, stepFacts(line));
      case "step.warning":
        return `${colors.yellow("!")} ${placeText(line)}: ${cleanLine(line.message)}`;
      case "step.note":
        return `${colors.dim("·")} ${placeText(line)}: ${cleanLine(line.message)}`;
      case "agent.permission":
        return this.#asks ? undefined : viewRequestWithCommands(this.#screen, line).join("\n");
      case "run.signal":
        return `${colors.blue("☞")} ${signalWords(line)}`;
      default:
        return undefined;
    }
  }

  #withFacts(text: string, facts: string): string {
    const { colors, width, onTerminal } = this.#screen;
    if (facts === "") return text;
    const room = Math.max(20, width - widthOf(text) - 2);
    return `${text}  ${colors.dim(onTerminal ? fit(facts, room) : facts)}`;
  }
}

/** Numbered events as JSON lines; what is meant for the person goes elsewhere. */
export function jsonReporter(
  workflow_id: string,
  write: ((text: string) => void) | undefined,
  say: (text: string) => void,
): Reporter {
  return {
    line: (line) => {
      if ("n" in line) write?.(`${cleanJson({ ...line, workflow_id })}\n`);
      // It is no event, and a script that reads only those would wait without knowing for what.
      if (line.type === "agent.permission")
        say(`its agent asks whether it may use ${requestText(line)}; ${answerCommands(line).join(", ")}`);
    },
    showState: () => undefined,
    print: say,
    hold: () => undefined,
    release: () => undefined,
    close: () => undefined,
  };
}
