import type { Place, Problem } from "../../contract/problem.ts";
import type { Places } from "../definition/places.ts";
import { TemplateError } from "../template/template-error.ts";

type Path = (string | number)[];
type Finding = Pick<Problem, "severity" | "message" | "hint">;

/** The problems of a grimoire and its spells, each at its place in its file. */
export class Findings {
  readonly problems: Problem[] = [];
  readonly file: string;
  readonly #places: Places;

  constructor(file: string, places: Places) {
    this.file = file;
    this.#places = places;
  }

  /** The findings of one step: `path` leads to it in the file, `names` are those of the loops around it and its own. */
  of(path: Path, names: string[]): StepFindings {
    return new StepFindings(this, this.#places, path, names.join("/"));
  }

  /** The same problem is told once, however many ways lead to it. */
  add(problem: Problem): void {
    const same = (each: Problem): boolean =>
      each.file === problem.file &&
      each.line === problem.line &&
      each.column === problem.column &&
      each.message === problem.message;
    if (!this.problems.some(same)) this.problems.push(problem);
  }
}

export class StepFindings {
  readonly step: string;
  readonly #all: Findings;
  readonly #places: Places;
  readonly #path: Path;

  constructor(all: Findings, places: Places, path: Path, step: string) {
    this.#all = all;
    this.#places = places;
    this.#path = path;
    this.step = step;
  }

  get file(): string {
    return this.#all.file;
  }

  /** A problem with a field of the step as a whole. */
  add(key: Path, finding: Finding): void {
    this.#report(this.file, this.#places.of([...this.#path, ...key]), finding);
  }

  /** Problems inside the text of a field, or of the spell in `file` that the field names. */
  addAt(key: Path, findings: (Finding & Place)[], file = this.file): void {
    for (const { line, column, ...finding } of findings) {
      const place = file === this.file ? this.#places.within([...this.#path, ...key], line, column) : { line, column };
      this.#report(file, place, finding);
    }
  }

  /** Does the work; a template's error becomes a problem of the field, or of the spell it stands in. */
  catching<T>(key: Path, work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      const { line, column, message, template } = error;
      // Texts of the grimoire itself are parsed without a name.
      const file = template === "" ? this.file : template;
      const finding: Finding = { severity: "error", message };
      if (message.includes("U+002D")) finding.hint = "step names are written with underscores here: .run_tests";
      this.addAt(key, [{ ...finding, line, column }], file);
      return undefined;
    }
  }

  #report(file: string, { line, column }: Place, { severity, message, hint }: Finding): void {
    this.#all.add({ severity, file, line, column, step: this.step, message, ...(hint !== undefined && { hint }) });
  }
}
