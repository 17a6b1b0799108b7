import type { Place } from "../../contract/problem.ts";
import type { PlacedScript, ScriptPiece } from "../shell/piece.ts";
import { placeHoles } from "../shell/place-holes.ts";
import { execute, type Branches, type ExecuteOptions } from "../template/execute.ts";
import type { Template } from "../template/parse.ts";
import type { Data } from "../template/unknown.ts";

/** A value that stands in a script, and where the action that prints it stands in the template. */
export interface HoleValue extends Place {
  text: string;
  source: string;
}

/** Something that a person should see or must change before the script runs. */
export interface CommandProblem extends Place {
  severity: "error" | "warning";
  message: string;
  hint: string;
}

export interface RenderedCommand {
  script: PlacedScript;
  /** By the number of the hole. */
  holes: HoleValue[];
  problems: CommandProblem[];
  /** Whether a condition was left open, so that both its ways stand in the script. */
  undecided: boolean;
}

export interface CommandOptions extends Pick<ExecuteOptions, "include"> {
  branches?: Branches;
}

/**
 * A step's command with a hole where an action prints, each in its place. Only `raw` puts text into the script itself.
 * Throws a TemplateError.
 */
export function renderCommand(
  text: string,
  template: Template,
  data: Data,
  options: CommandOptions = {},
): RenderedCommand {
  const holes: HoleValue[] = [];
  const problems: CommandProblem[] = [];
  const segments = execute(template, data, options);
  const pieces = segments.map((segment): ScriptPiece => {
    if (segment.kind !== "value") return segment;
    const { line, column } = segment;
    const source = actionAt(text, line, column);
    if (segment.raw) {
      const message = `${source} puts its value into the script as it is`;
      problems.push({
        severity: "warning",
        line,
        column,
        message,
        hint: "leave raw out, unless the value is a command",
      });
      return { kind: "text", text: segment.text };
    }
    if (segment.text.includes("\0")) {
      const message = `the value of ${source} contains a NUL character`;
      problems.push({ severity: "error", line, column, message, hint: "no shell can hold one; pass a file instead" });
    }
    holes.push({ line, column, text: segment.text, source });
    return { kind: "hole", id: holes.length - 1, source };
  });
  const { script, problems: misplaced } = placeHoles(pieces);
  for (const { hole, message, hint } of misplaced) {
    const { line, column } = holes[hole]!;
    problems.push({ severity: "error", line, column, message, hint });
  }
  return { script, holes, problems, undecided: segments.some(({ kind }) => kind === "marker") };
}

/** The action around a place of a template, as it is written there. */
function actionAt(text: string, line: number, column: number): string {
  let lineStart = 0;
  for (let skip = 1; skip < line; skip++) lineStart = text.indexOf("\n", lineStart) + 1;
  // Columns count characters, of which some take two places in a string.
  const before = Array.from(text.slice(lineStart, lineStart + 2 * column)).slice(0, column - 1);
  const at = lineStart + before.join("").length;
  const start = text.lastIndexOf("{{", at + 1);
  const end = text.indexOf("}}", at);
  return start < 0 || end < 0 ? "this value" : text.slice(start, end + 2).replace(/\s+/g, " ");
}
