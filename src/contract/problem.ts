/** What is wrong with a file that a person wrote, and where. Lines and columns count from 1, columns in characters. */
export interface Problem {
  severity: "error" | "warning";
  file: string;
  line: number;
  column: number;
  /** The step it belongs to, as a path of step names: `quality-loop/run-tests`. */
  step?: string;
  message: string;
  /** The way out, where there is one to name. */
  hint?: string;
}

/** A place in a text. Lines and columns count from 1, columns in characters. */
export interface Place {
  line: number;
  column: number;
}
