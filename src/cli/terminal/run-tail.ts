import type { JournalLine, KeptFile } from "../../contract/run-journal.ts";
import type { StepAddress } from "../../contract/run.ts";

const mostLines = 15;
/** One line may be a whole file; nobody reads that at the end of a terminal. */
const longestLine = 2000;

/** The last lines of a step that failed, in the order in which they came, whatever they were printed to. */
export interface FailedOutput extends StepAddress {
  text: string;
  /** Outputs too long for the journal, which has only their beginnings; none of those lines is in `text`. */
  files: KeptFile[];
}

type End = Extract<JournalLine, { type: "workflow.step.completed" | "step.prepared" }>;

function isEnd(line: JournalLine): line is End {
  return line.type === "workflow.step.completed" || line.type === "step.prepared";
}

/** Follows a journal, and keeps what its last failed step printed last. */
export class OutputTail {
  #lines: string[] = [];
  #unended = "";
  #failed: FailedOutput | undefined;

  add(line: JournalLine): void {
    if (line.type === "step.output") this.#hear(line.text);
    else if (line.type === "agent.message") this.#hear(`\n${line.text}\n`);
    else if (line.type === "workflow.step.started" || line.type === "step.preparing") this.#forget();
    else if (isEnd(line) && (line.status === "failed" || line.status === "stopped")) {
      const { path, attempt, output_file, stderr_file } = line;
      const files = [output_file, stderr_file].filter((file) => file !== undefined);
      // What git printed on the way says less than what was made of it, such as the markers of a conflict.
      const isTold = line.type === "step.prepared" && typeof line.output === "string" && line.output !== "";
      if (files.length > 0 || isTold) {
        this.#forget();
        for (const text of [line.output, line.stderr]) if (typeof text === "string") this.#hear(`${text}\n`);
      }
      const lines = this.#unended.trim() === "" ? this.#lines : [...this.#lines, this.#unended];
      const text = lines.slice(-mostLines).join("\n");
      this.#failed = { path, attempt, text, files };
    }
  }

  /** Of the step at `path`, or in the loop there; undefined when it did not fail, or printed nothing. */
  failedAt(path: string): FailedOutput | undefined {
    const failed = this.#failed;
    if (!failed || (failed.text === "" && failed.files.length === 0)) return undefined;
    return failed.path === path || failed.path.startsWith(`${path}[`) ? failed : undefined;
  }

  #hear(text: string): void {
    const pieces = (this.#unended + text).split("\n");
    this.#unended = pieces.pop()!.slice(-longestLine);
    const lines = pieces.filter((piece) => piece.trim() !== "").map((piece) => piece.slice(0, longestLine));
    this.#lines = [...this.#lines, ...lines].slice(-mostLines);
  }

  #forget(): void {
    this.#lines = [];
    this.#unended = "";
  }
}

/** The end of a text, as much of it as a terminal should show. */
export function lastLines(text: string): string {
  return text
    .trimEnd()
    .split("\n")
    .slice(-mostLines)
    .map((line) => line.slice(0, longestLine))
    .join("\n");
}
