import { wordOf } from "../../contract/permission-values.ts";
import type { JournalLine } from "../../contract/run-journal.ts";
import type { StepInput } from "../../contract/step-input.ts";
import type { Screen } from "../context.ts";
import { cleanLine } from "./clean.ts";
import { answerCommands, requestText } from "./permission-view.ts";
import { block } from "./run-block.ts";
import { viewTitle } from "./run-end-view.ts";
import {
  callText,
  storedFileText,
  paintRunStatus,
  placeText,
  preparingWords,
  stepFacts,
  stepSign,
  usageText,
} from "./run-words.ts";
import { clockTime, duration } from "./time.ts";
import { fit } from "./width.ts";

/** Longer prompts and results are cut; `--json` has all of them. */
const mostLines = 20;
const indent = 12;

type Stream = "stdout" | "stderr";

/**
 * A journal as a person reads it: time and step, and below it what was run, printed, said, called. Output comes in pieces
 * that may end within a line; an unfinished line is kept back until its rest arrives.
 */
export class RunLogView {
  readonly #screen: Screen;
  readonly #journal: string;
  readonly #partialLines: Record<Stream, string> = { stdout: "", stderr: "" };

  /** `journal` is the path of the file that the lines come from. */
  constructor(screen: Screen, journal: string) {
    this.#screen = screen;
    this.#journal = journal;
  }

  /** The lines of text for one line of the journal; often none. */
  add(line: JournalLine): string[] {
    if (line.type === "step.output") return this.#output(line.stream, line.text);
    return [...this.end(), ...this.#lineText(line)];
  }

  /** The lines that were kept back. */
  end(): string[] {
    const streams: Stream[] = ["stdout", "stderr"];
    return streams.flatMap((stream) => (this.#partialLines[stream] === "" ? [] : this.#output(stream, "\n")));
  }

  #output(stream: Stream, text: string): string[] {
    const { colors } = this.#screen;
    const pieces = (this.#partialLines[stream] + text).split("\n");
    this.#partialLines[stream] = pieces.pop()!;
    const bar = stream === "stdout" ? colors.dim("│") : colors.yellow("┃");
    return pieces.flatMap((piece) => block(this.#screen, piece.replace(/\r$/, ""), { indent, bar }));
  }

  #lineText(line: Exclude<JournalLine, { type: "step.output" }>): string[] {
    const { colors } = this.#screen;
    const timed = (text: string): string => `${colors.dim(clockTime(line.at))}  ${text}`;
    switch (line.type) {
      case "workflow.started":
        return [timed(viewTitle(this.#screen, line))];
      case "workflow.step.started":
        return [
          timed(`${stepSign(colors, "running")} ${colors.bold(placeText(line))}  ${colors.dim(line.kind)}`),
          ...(line.input ? this.#inputText(line.input) : []),
        ];
      case "workflow.step.completed": {
        const files = [line.output_file, line.stderr_file, line.outputs_file].filter((file) => file !== undefined);
        return [
          timed(`${stepSign(colors, line.status)} ${placeText(line)}  ${colors.dim(stepFacts(line))}`.trimEnd()),
          ...files.map(
            (file) => `${" ".repeat(indent)}${colors.dim(`whole output: ${storedFileText(file, this.#journal)}`)}`,
          ),
        ];
      }
      case "workflow.blocked":
      case "workflow.failed":
      case "workflow.merge_pending":
        return [
          timed(
            `${colors.yellow("⏸")} ${paintRunStatus(colors, waitStatuses[line.type])} at ${placeText(line)}: ${cleanLine(line.message)}`,
          ),
          ...line.actions.map((action) => `${" ".repeat(indent)}${colors.cyan(cleanLine(action))}`),
        ];
      case "workflow.completed":
      case "workflow.cancelled": {
        const mark = line.type === "workflow.completed" ? colors.green("✓ completed") : colors.dim("– cancelled");
        const facts = [`after ${duration(Math.round(line.running_ms))}`, usageText(line.usage)];
        return [timed(`${mark}  ${colors.dim(facts.filter((fact) => fact !== "").join(" · "))}`)];
      }
      case "loop.iteration":
        return [timed(colors.dim(`↻ ${cleanLine(line.path)}, iteration ${line.iteration}`))];
      case "run.signal": {
        const user = line.by ? colors.dim(` (${cleanLine(line.by.user)})`) : "";
        return [timed(`${colors.blue("☞")} ${signalWords(line)}${user}`)];
      }
      case "run.driven":
        return [timed(colors.dim(`driven by process ${line.pid}`))];
      case "run.torn":
        return [timed(colors.yellow(`a crash cut the line before short (${line.bytes} bytes)`))];
      case "step.warning":
        return [timed(`${colors.yellow("!")} ${cleanLine(line.message)}`)];
      case "step.note":
        return [timed(colors.dim(cleanLine(line.message)))];
      case "step.preparing":
        return [timed(`${stepSign(colors, "running")} ${colors.bold(preparingWords[line.kind])}`)];
      case "step.prepared":
        return line.status === "succeeded"
          ? []
          : [timed(`${stepSign(colors, line.status)} ${cleanLine(line.error ?? "")}`)];
      case "merge.landing":
        return [timed(colors.dim(`landing ${line.to.slice(0, 9)} on ${cleanLine(line.target)}`))];
      case "merge.verifying":
        return [timed(colors.dim(`the merged tree ${line.commit.slice(0, 9)} is checked out in the worktree`))];
      case "merge.verified":
        return [timed(colors.dim("the run's branch is back in the worktree"))];
      case "run.stopped":
        return [timed(colors.yellow(`stopped by a person: ${cleanLine(line.reason)}`))];
      case "step.process":
        return [];
      default:
        return this.#agentText(line, timed);
    }
  }

  #agentText(line: Extract<JournalLine, { type: `agent.${string}` }>, timed: (text: string) => string): string[] {
    const { colors } = this.#screen;
    const speech = (word: string, text: string): string[] => [timed(`  ${word}`), ...this.#cut(text)];
    switch (line.type) {
      case "agent.init": {
        const facts = [line.engine, line.model, line.engine_session].filter(Boolean).join(" · ");
        return [timed(colors.dim(cleanLine(`  ${facts}`)))];
      }
      case "agent.message":
        return speech(colors.green("says"), line.text);
      case "agent.thinking":
        return speech(colors.dim("thinks"), line.text);
      case "agent.tool_call":
        return [timed(`  ${colors.cyan("calls")} ${this.#fit(callText(line.name, line.input), indent + 6)}`)];
      case "agent.tool_result": {
        const time = line.duration_ms === undefined ? "" : colors.dim(` ${duration(Math.round(line.duration_ms))}`);
        const name = line.name === undefined ? "" : ` ${cleanLine(line.name)}`;
        return speech(`${line.failed ? colors.red("failed") : colors.dim("result")}${name}${time}`, line.output);
      }
      case "agent.error":
        return speech(colors.red("error"), line.message);
      case "agent.usage":
        return [];
      case "agent.permission":
        return [
          timed(`${colors.yellow("?")} ${this.#fit(`may it use ${requestText(line)}`, indent + 2)}`),
          ...this.#cut(answerCommands(line).join("\n")),
        ];
      case "agent.permission_over": {
        const why = line.reason === "withdrawn" ? "the engine took it back" : "it had no answer in time";
        return [timed(colors.dim(`  the request ${cleanLine(line.id)} is over: ${why}`))];
      }
    }
  }

  #inputText(input: StepInput): string[] {
    const { colors } = this.#screen;
    if (input.kind === "agent") return this.#cut(input.prompt, colors.cyan("›"));
    if (input.kind === "merge") return [];
    const values = Object.entries(input.values).map(
      ([name, value]) => `${" ".repeat(indent)}${colors.dim(this.#fit(cleanLine(`${name} = ${value}`), indent))}`,
    );
    return [...this.#cut(input.script, colors.cyan("$")), ...values];
  }

  #cut(text: string, bar = this.#screen.colors.dim("│")): string[] {
    return text.trim() === "" ? [] : block(this.#screen, text, { indent, bar, mostLines });
  }

  #fit(text: string, before: number): string {
    return this.#screen.onTerminal ? fit(text, this.#screen.width - before) : text;
  }
}

const waitStatuses = {
  "workflow.blocked": "blocked",
  "workflow.failed": "failed",
  "workflow.merge_pending": "pending_merge",
} as const;

export function signalWords({ signal, taken, refusal }: Extract<JournalLine, { type: "run.signal" }>): string {
  if (signal.kind === "message" || signal.kind === "stop_agent") {
    const words = signal.kind === "message" ? `message: ${signal.text}` : `${signal.kill ? "kill" : "stop"} the agent`;
    return cleanLine(`${words}${taken ? "" : ` (not delivered: ${refusal ?? "it came too late"})`}`);
  }
  if (signal.kind === "permission") {
    return cleanLine(`${wordOf(signal.option)} ${signal.request}${taken ? "" : " (did not count: it came too late)"}`);
  }
  const names = signal.kind === "retry" ? Object.keys(signal.inputs) : [];
  const more = names.length > 0 ? ` with ${names.join(", ")}` : "";
  const text = signal.kind === "reject" ? signal.reason : signal.kind === "changes" ? signal.text : "";
  const why = text === "" ? "" : `: ${text}`;
  return cleanLine(
    `${signal.kind}${more}${why}${taken ? "" : " (did not count: it came too late, or another came after it)"}`,
  );
}
