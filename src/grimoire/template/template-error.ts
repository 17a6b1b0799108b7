import type { Place } from "../../contract/problem.ts";

/** A template that cannot be read or executed. Lines and columns count from 1, columns in characters. */
export class TemplateError extends Error implements Place {
  /** The name that the template was parsed under. */
  readonly template: string;
  readonly line: number;
  readonly column: number;

  constructor(template: string, line: number, column: number, message: string) {
    super(message);
    this.name = "TemplateError";
    this.template = template;
    this.line = line;
    this.column = column;
  }
}

/** Thrown where the place in the template is not known. The executor makes a TemplateError of it. */
export class EvaluationError extends Error {}
