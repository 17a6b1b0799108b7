import type { Grimoire, Step } from "../../contract/grimoire.ts";
import type { JournalLine } from "../../contract/run-journal.ts";
import type { StepAddress } from "../../contract/run.ts";
import type { Screen } from "../context.ts";
import { clean, cleanLine } from "./clean.ts";
import { requestText } from "./permission-view.ts";
import { callText, placeText, preparingWords } from "./run-words.ts";
import { duration } from "./time.ts";
import { fit, widthOf } from "./width.ts";

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const frameMs = 100;

/** What a run is doing right now, folded from its journal's lines: the step, how long, and the last sign of life. */
export class RunNow {
  readonly #grimoire: Grimoire | undefined;
  #step: (StepAddress & { startedMs: number }) | undefined;
  #activity = "";
  /** What is being prepared before a step can begin. */
  #preparing: string | undefined;
  /** The beginning of an output line whose end has not come yet. */
  #partialLine = "";
  #runTime = { ms: 0, atMs: 0 };
  /** Permissions that its agent waits for: meanwhile no time passes for the run. */
  #requests = new Set<string>();

  constructor(grimoire: Grimoire | undefined, nowMs: number) {
    this.#grimoire = grimoire;
    this.#runTime.atMs = nowMs;
  }

  /** Takes over the state of a run that another process drives. */
  setState(current: StepAddress | null, runningMs: number, startedMs: number, nowMs: number): void {
    if (current) this.#step = { ...current, startedMs };
    this.#runTime = { ms: runningMs, atMs: nowMs };
  }

  add(line: JournalLine, nowMs: number): void {
    if ("running_ms" in line) this.#runTime = { ms: line.running_ms, atMs: nowMs };
    if (line.type === "agent.permission") this.#requests.add(line.id);
    if (line.type === "agent.permission_over") this.#requests.delete(line.id);
    if (line.type === "run.signal" && line.signal.kind === "permission") this.#requests.delete(line.signal.request);
    if (line.type === "workflow.step.completed") this.#requests.clear();
    if (line.type === "step.output") this.#addOutput(line.text);
    else if (line.type === "workflow.step.started" || line.type === "step.preparing") {
      // A loop stays behind the step that runs in it.
      if (line.kind !== "loop") this.#step = { path: line.path, attempt: line.attempt, startedMs: nowMs };
      this.#preparing = line.type === "step.preparing" ? preparingWords[line.kind] : undefined;
      this.#setActivity("");
    } else if (line.type === "workflow.step.completed") {
      if (line.path === this.#step?.path) this.#step = undefined;
      this.#setActivity("");
    } else this.#setActivity(activityOf(line) ?? this.#activity);
  }

  lines({ colors, width }: Screen, nowMs: number): string[] {
    const room = width - 1;
    const step = this.#step;
    const runMs = this.#runTime.ms + (this.#requests.size > 0 ? 0 : nowMs - this.#runTime.atMs);
    const times = step
      ? [iterationText(this.#grimoire, step.path), seconds(nowMs - step.startedMs), `run ${seconds(runMs)}`]
      : [`run ${seconds(runMs)}`];
    const facts = fit(times.filter((each) => each !== "").join(" · "), room - 2);
    const name = fitEnd(
      this.#preparing ?? (step ? placeText(step) : "between steps"),
      Math.max(8, room - widthOf(facts) - 4),
    );
    const frame = frames[Math.floor(nowMs / frameMs) % frames.length]!;
    const first = `${colors.cyan(frame)} ${colors.bold(name)}  ${colors.dim(facts)}`;
    return this.#activity === "" ? [first] : [first, colors.dim(`  ${fit(this.#activity, room - 2)}`)];
  }

  #addOutput(text: string): void {
    // A carriage return begins a line anew: what progress bars live on.
    const pieces = (this.#partialLine + text).split(/[\r\n]/);
    this.#partialLine = pieces.at(-1)!.slice(-1000);
    const last = pieces.findLast((piece) => piece.trim() !== "");
    if (last !== undefined) this.#activity = cleanLine(last);
  }

  #setActivity(text: string): void {
    this.#activity = text;
    this.#partialLine = "";
  }
}

function activityOf(line: JournalLine): string | undefined {
  switch (line.type) {
    case "agent.init":
      return cleanLine(`${line.engine} is at work${line.model === undefined ? "" : ` with ${line.model}`}`);
    case "agent.message":
      return firstLine(line.text);
    case "agent.thinking":
      return `thinks: ${firstLine(line.text)}`;
    case "agent.tool_call":
      return callText(line.name, line.input);
    case "agent.tool_result":
      return line.failed ? `${cleanLine(line.name ?? "tool")} failed: ${firstLine(line.output)}` : undefined;
    case "agent.error":
      return firstLine(line.message);
    case "agent.permission":
      return `waits for your permission: ${requestText(line)}`;
    default:
      return undefined;
  }
}

function firstLine(text: string): string {
  return clean(text).trim().split("\n")[0]!;
}

/** Whole seconds: a clock that jumps by milliseconds only disturbs. */
function seconds(ms: number): string {
  const whole = Math.max(0, Math.floor(ms / 1000));
  return whole === 0 ? "0 s" : duration(whole * 1000);
}

/** The end of a path tells more than its beginning. */
function fitEnd(path: string, columns: number): string {
  return path.length <= columns ? path : `…${path.slice(path.length + 1 - columns)}`;
}

/** `iteration 2 of 3`, of the innermost loop around a step; empty outside loops. */
export function iterationText(grimoire: Grimoire | undefined, path: string): string {
  const loops = path.split("/").slice(0, -1);
  let steps: Step[] = grimoire?.steps ?? [];
  let label = "";
  for (const segment of loops) {
    const [, name, count] = /^(.*)\[(\d+)\]$/.exec(segment) ?? [];
    const loop = steps.find((step) => step.name === name);
    if (count === undefined) return "";
    if (loop?.type !== "loop") return `iteration ${count}`;
    // A loop that is tried again may take as many iterations again.
    const limit = Math.ceil(Number(count) / loop.max_iterations) * loop.max_iterations;
    label = `iteration ${count} of ${limit}`;
    ({ steps } = loop);
  }
  return label;
}
