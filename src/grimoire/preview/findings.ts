import type { Place, Problem } from "../../contract/problem.ts";
import type { Places } from "../definition/places.ts";
import { TemplateError } from "../template/template-error.ts";

type Path = (string | number)[];
type Finding = Pick<Problem, "severity" | "message" | "hint">;

const maxFindings = 200;

/** A field of the grimoire, or a place in its text. */
interface Field {
  path: Path;
  place?: Place;
}

interface LocatedFinding {
  file: string;
  step?: string;
  location: Place | Field;
  finding: Finding;
}

/** What is wrong with a grimoire and its spells. Places of fields in the file are looked up at the end. */
export class Findings {
  readonly file: string;
  readonly #entries: LocatedFinding[] = [];

  constructor(file: string) {
    this.file = file;
  }

  /** The findings of one step: `path` leads to it in the file, `names` are those of the loops around it and its own. */
  of(path: Path, names: string[]): StepFindings {
    return new StepFindings(this.file, path, names, this.#entries);
  }

  /** A problem of the grimoire as a whole. */
  add(finding: Finding): void {
    this.#entries.push({ file: this.file, location: { path: [] }, finding });
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** Whether there are so many findings that more would not help. */
  get isFull(): boolean {
    return this.#entries.length >= maxFindings;
  }

  /** The same problem is listed once, however often it was found. */
  problems(places: Places): Problem[] {
    const problems = new Map<string, Problem>();
    for (const { file, step, location, finding } of this.#entries) {
      const { line, column } = "path" in location ? placeOf(location, places) : location;
      const key = `${file}:${line}:${column} ${finding.message}`;
      const { severity, ...words } = finding;
      const problem: Problem = { severity, file, line, column, ...(step !== undefined && { step }), ...words };
      if (!problems.has(key)) problems.set(key, problem);
    }
    return [...problems.values()].slice(0, maxFindings);
  }
}

function placeOf({ path, place }: Field, places: Places): Place {
  return place ? places.within(path, place.line, place.column) : places.of(path);
}

export class StepFindings {
  readonly file: string;
  readonly path: Path;
  readonly names: string[];
  /** The names, joined. */
  readonly step: string;
  readonly #entries: LocatedFinding[];

  constructor(file: string, path: Path, names: string[], entries: LocatedFinding[]) {
    this.file = file;
    this.path = path;
    this.names = names;
    this.step = names.join("/");
    this.#entries = entries;
  }

  /** A problem with a field of the step as a whole. */
  add(key: Path, finding: Finding): void {
    this.#entries.push({ file: this.file, step: this.step, location: { path: [...this.path, ...key] }, finding });
  }

  /** Problems inside the text of a field, or of the spell in `file` that the field names. */
  addAt(key: Path, findings: (Finding & Place)[], file = this.file): void {
    for (const { line, column, ...finding } of findings) {
      const place = { line, column };
      const location = file === this.file ? { path: [...this.path, ...key], place } : place;
      this.#entries.push({ file, step: this.step, location, finding });
    }
  }

  /** Does the work; a TemplateError becomes a problem of the field, or of the spell it is in. */
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
