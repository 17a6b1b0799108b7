import type { Place, Problem } from "../../contract/problem.ts";
import type { Places } from "../definition/places.ts";
import { TemplateError } from "../template/template-error.ts";

type Path = (string | number)[];
type Finding = Pick<Problem, "severity" | "message" | "hint">;

const mostFound = 200;

/** A field of the grimoire, or a place in its text. */
interface Field {
  path: Path;
  at?: Place;
}

interface Found {
  file: string;
  step?: string;
  where: Place | Field;
  finding: Finding;
}

/** What is wrong with a grimoire and its spells. Where a field stands in the file is looked up at the end, if at all. */
export class Findings {
  readonly file: string;
  readonly #found: Found[] = [];

  constructor(file: string) {
    this.file = file;
  }

  /** The findings of one step: `path` leads to it in the file, `names` are those of the loops around it and its own. */
  of(path: Path, names: string[]): StepFindings {
    return new StepFindings(this.file, names.join("/"), path, this.#found);
  }

  /** A problem of the grimoire as a whole. */
  add(finding: Finding): void {
    this.#found.push({ file: this.file, where: { path: [] }, finding });
  }

  get isEmpty(): boolean {
    return this.#found.length === 0;
  }

  /** So much is wrong that more would only bury it. */
  get isFull(): boolean {
    return this.#found.length >= mostFound;
  }

  /** The same problem is told once, however many ways lead to it. */
  problems(places: Places): Problem[] {
    const problems = new Map<string, Problem>();
    for (const { file, step, where, finding } of this.#found) {
      const { line, column } = "path" in where ? placeOf(where, places) : where;
      const key = `${file}:${line}:${column} ${finding.message}`;
      const { severity, ...words } = finding;
      const problem: Problem = { severity, file, line, column, ...(step !== undefined && { step }), ...words };
      if (!problems.has(key)) problems.set(key, problem);
    }
    return [...problems.values()].slice(0, mostFound);
  }
}

function placeOf({ path, at }: Field, places: Places): Place {
  return at ? places.within(path, at.line, at.column) : places.of(path);
}

export class StepFindings {
  readonly file: string;
  readonly step: string;
  readonly #path: Path;
  readonly #found: Found[];

  constructor(file: string, step: string, path: Path, found: Found[]) {
    this.file = file;
    this.step = step;
    this.#path = path;
    this.#found = found;
  }

  /** A problem with a field of the step as a whole. */
  add(key: Path, finding: Finding): void {
    this.#found.push({ file: this.file, step: this.step, where: { path: [...this.#path, ...key] }, finding });
  }

  /** Problems inside the text of a field, or of the spell in `file` that the field names. */
  addAt(key: Path, findings: (Finding & Place)[], file = this.file): void {
    for (const { line, column, ...finding } of findings) {
      const at = { line, column };
      const where = file === this.file ? { path: [...this.#path, ...key], at } : at;
      this.#found.push({ file, step: this.step, where, finding });
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
}
