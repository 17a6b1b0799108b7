import type { Problem } from "../../contract/problem.ts";

/** A place in the lines of a plan: both count from 0, `offset` in the line as it was split. */
export interface Spot {
  line: number;
  offset: number;
}

/** More than a person or a model would mend at once. */
const maxProblems = 1000;

/** What is wrong with a plan, while it is read. */
export class Findings {
  readonly #lines: readonly string[];
  readonly #file: string;
  readonly #problems: Problem[] = [];
  #left = 0;

  constructor(lines: readonly string[], file: string) {
    this.#lines = lines;
    this.#file = file;
  }

  /** `expected` is the form that should stand there. */
  error(spot: Spot, message: string, expected?: string): void {
    this.#add("error", spot, message, expected);
  }

  warning(spot: Spot, message: string, expected?: string): void {
    this.#add("warning", spot, message, expected);
  }

  get hasErrors(): boolean {
    return this.#problems.some(({ severity }) => severity === "error");
  }

  /** In the order of the file. */
  problems(): Problem[] {
    const sorted = this.#problems.toSorted((a, b) => a.line - b.line || a.column - b.column);
    const last = sorted.at(-1);
    if (this.#left > 0 && last) {
      const { line, column } = last;
      sorted.push({ severity: "error", file: this.#file, line, column, message: `and ${this.#left} more problems` });
    }
    return sorted;
  }

  #add(severity: Problem["severity"], { line, offset }: Spot, message: string, hint?: string): void {
    if (this.#problems.length >= maxProblems) {
      this.#left++;
      return;
    }
    const column = Array.from((this.#lines[line] ?? "").slice(0, offset)).length + 1;
    this.#problems.push({
      severity,
      file: this.#file,
      line: line + 1,
      column,
      message,
      ...(hint !== undefined && { hint }),
    });
  }
}

/** What a person or a model wrote, for a message: short, and on one line. */
export function inlineQuote(text: string): string {
  const isLong = text.length > 60;
  return `\`${
    isLong
      ? `${text
          .slice(0, 59)
          .toWellFormed()
          .replace(/\uFFFD$/, "")}…`
      : text
  }\``;
}
