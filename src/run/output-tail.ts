import type { FailedOutput } from "../contract/run-digest.ts";
import type { JournalLine } from "../contract/run-journal.ts";

const maxLines = 15;
/** One line may be a whole file, too much for the end of a terminal. */
const maxLineChars = 2000;

/** What is known at some line of the journal. */
export interface TailState {
  lines: string[];
  unended: string;
  failed: FailedOutput | null;
}

type End = Extract<JournalLine, { type: "workflow.step.completed" | "step.prepared" }>;

function isEnd(line: JournalLine): line is End {
  return line.type === "workflow.step.completed" || line.type === "step.prepared";
}

/** Follows a journal, and keeps what its last failed step printed last. */
export class OutputTail {
  #lines: string[];
  #unended: string;
  #failed: FailedOutput | undefined;

  /** Goes on where another stopped. */
  constructor({ lines, unended, failed }: TailState = { lines: [], unended: "", failed: null }) {
    this.#lines = lines;
    this.#unended = unended;
    this.#failed = failed ?? undefined;
  }

  get state(): TailState {
    return { lines: this.#lines, unended: this.#unended, failed: this.#failed ?? null };
  }

  add(line: JournalLine): void {
    if (line.type === "step.output") this.#addText(line.text);
    else if (line.type === "agent.message") this.#addText(`\n${line.text}\n`);
    else if (line.type === "workflow.step.started" || line.type === "step.preparing") this.#clear();
    else if (isEnd(line) && (line.status === "failed" || line.status === "stopped")) {
      const { path, attempt, output_file, stderr_file } = line;
      const files = [output_file, stderr_file].filter((file) => file !== undefined);
      // What git printed on the way says less than what was made of it, such as the markers of a conflict.
      const hasOutput = line.type === "step.prepared" && typeof line.output === "string" && line.output !== "";
      if (files.length > 0 || hasOutput) {
        this.#clear();
        for (const text of [line.output, line.stderr]) if (typeof text === "string") this.#addText(`${text}\n`);
      }
      const lines = this.#unended.trim() === "" ? this.#lines : [...this.#lines, this.#unended];
      const text = lines.slice(-maxLines).join("\n");
      this.#failed = { path, attempt, text, files };
    }
  }

  /** Of the step at `path`, or in the loop there; undefined when it did not fail, or printed nothing. */
  failedAt(path: string): FailedOutput | undefined {
    const failed = this.#failed;
    if (!failed || (failed.text === "" && failed.files.length === 0)) return undefined;
    return failed.path === path || failed.path.startsWith(`${path}[`) ? failed : undefined;
  }

  #addText(text: string): void {
    const pieces = (this.#unended + text).split("\n");
    this.#unended = pieces.pop()!.slice(-maxLineChars);
    const lines = pieces.filter((piece) => piece.trim() !== "").map((piece) => piece.slice(0, maxLineChars));
    this.#lines = [...this.#lines, ...lines].slice(-maxLines);
  }

  #clear(): void {
    this.#lines = [];
    this.#unended = "";
  }
}

/** The end of a text, as much of it as a terminal should show. */
export function lastLines(text: string): string {
  return text
    .trimEnd()
    .split("\n")
    .slice(-maxLines)
    .map((line) => line.slice(0, maxLineChars))
    .join("\n");
}
