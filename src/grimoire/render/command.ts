import type { Place, Problem } from "../../contract/problem.ts";
import { checkValues } from "../shell/check-values.ts";
import type { PlacedScript, ScriptPiece } from "../shell/piece.ts";
import { placeHoles } from "../shell/place-holes.ts";
import { execute, type ExecuteOptions, type Segment } from "../template/execute.ts";
import type { Template } from "../template/parse.ts";
import { LineIndex } from "../text/line-index.ts";
import type { Data } from "../template/unknown.ts";

/** A problem with its place in the template. */
type TemplateProblem = Omit<Problem, "file" | "step">;

/** A value that stands in a script, and where the action that prints it stands in the template. */
export interface HoleValue extends Place {
  text: string;
  source: string;
}

export interface RenderedCommand {
  script: PlacedScript;
  /** By the number of the hole. */
  holes: HoleValue[];
  /** What a person should see or must change before the script runs. */
  problems: TemplateProblem[];
  /** Whether an unknown value decides a condition, so that both branches are in the script. */
  isUndecided: boolean;
}

export interface CommandOptions extends Pick<ExecuteOptions, "include" | "branches"> {
  /** Instead of `placeHoles`, for a caller that renders the same script again and again. */
  place?: typeof placeHoles;
}

/**
 * A step's command with a hole where an action prints, each in its place. Only `raw` puts text into the script itself.
 * Throws a TemplateError.
 */
export function renderCommand(
  text: string,
  template: Template,
  data: Data,
  { place = placeHoles, ...options }: CommandOptions = {},
): RenderedCommand {
  const holes: HoleValue[] = [];
  const problems: TemplateProblem[] = [];
  const actionOf = actionFinder(text);
  const segments = execute(template, data, options);
  const pieces = segments.map((segment): ScriptPiece => {
    if (segment.kind !== "value") return segment;
    const { line, column } = segment;
    const source = actionOf({ line, column });
    if (segment.raw) {
      const message = `${source} puts its value into the script as it is`;
      const hint = "leave raw out, unless the value is a command";
      problems.push({ severity: "warning", line, column, message, hint });
      return { kind: "text", text: segment.text };
    }
    holes.push({ line, column, text: segment.text, source });
    return { kind: "hole", id: holes.length - 1, source };
  });
  const { script, problems: placementProblems, unclear } = place(pieces);
  if (unclear) {
    // One reason keeps every value from its place: it is reported once, at its own place.
    const { line, message, hint } = unclear;
    problems.push({ severity: "error", ...placeOfLine(segments, line), message, hint });
  }
  for (const { hole, message, hint } of [...placementProblems, ...checkValues(pieces, (id) => holes[id]!.text)]) {
    if (unclear && message.endsWith(unclear.message)) continue;
    const { line, column } = holes[hole]!;
    problems.push({ severity: "error", line, column, message, hint });
  }
  return { script, holes, problems, isUndecided: segments.some(({ kind }) => kind === "marker") };
}

/** Where a line of the rendered script begins in the template. */
function placeOfLine(segments: readonly Segment[], line: number): Place {
  let linesAhead = line - 1;
  let place: Place = { line: 1, column: 1 };
  for (const segment of segments) {
    const breaks = segment.text.split("\n").length - 1;
    if (segment.kind === "text") {
      if (linesAhead <= breaks && linesAhead > 0) return { line: segment.line + linesAhead, column: 1 };
      if (linesAhead === 0) return { line: segment.line, column: segment.column };
    }
    if (segment.kind !== "marker") place = { line: segment.line, column: segment.column };
    linesAhead -= breaks;
    if (linesAhead < 0) return place;
  }
  return place;
}

/** Finds the action at a place of a template, as its author wrote it, shortened. */
function actionFinder(text: string): (place: Place) => string {
  const lines = new LineIndex(text);
  return (place) => {
    const offset = lines.offsetOf(place);
    const open = text.lastIndexOf("{{", offset + 1);
    const end = text.indexOf("}}", offset);
    if (open < 0 || end < 0) return "this value";
    const action = text.slice(open, Math.min(end + 2, open + maxActionLength)).replace(/\s+/g, " ");
    return end + 2 > open + maxActionLength ? `${action}…` : action;
  };
}

const maxActionLength = 80;
