import { grimoireLimits } from "../../contract/grimoire-schema.ts";
import type { Grimoire } from "../../contract/grimoire.ts";
import type { Problem } from "../../contract/problem.ts";
import { buildGrimoire } from "./build-grimoire.ts";
import { checkNames } from "./check-names.ts";
import { checkShape } from "./check-shape.ts";
import { checkSteps } from "./check-steps.ts";
import { toProblems, type UnplacedProblem, type Report } from "./unplaced-problem.ts";
import { LineIndex } from "../text/line-index.ts";
import { parseYaml } from "./parse-yaml.ts";
import { noPlaces, placesOf, type Places } from "./places.ts";
import { TreeReader, unreadValue } from "./read-tree.ts";
import type { Shape } from "./salvage.ts";
import { writtenSteps } from "./step-walk.ts";
import { describeValue } from "./words.ts";
import type { YamlTree } from "./yaml-tree.ts";
import { isObject } from "../../text/is-object.ts";

export interface ReadGrimoire {
  /** Only when there is no error; warnings do not keep it back. */
  grimoire?: Grimoire;
  /** The readable steps, each in its place, when there is an error. */
  draft?: Grimoire;
  /** Whether the draft leaves open which variables are set. */
  isPartial?: boolean;
  /** Of a workflow in markup, by the name of a step, the channel of its node; absent without any. */
  channels?: Record<string, string>;
  /** Everything that is wrong, in the order of the file. */
  problems: Problem[];
  places: Places;
}

/** Reads a grimoire's file. Does not throw: whatever is wrong with the text comes back as problems. */
export function readGrimoire(text: string, file: string): ReadGrimoire {
  const lines = new LineIndex(text);
  const findings: UnplacedProblem[] = [];
  const report: Report = (finding) => void findings.push(finding);
  const tree = readTree(text, lines, report);
  const shape = tree && checkTree(tree, lines, report);
  const grimoire = shape && buildGrimoire(shape.grimoire);
  const isSound = findings.every((finding) => finding.severity === "warning");
  return {
    ...(grimoire && (isSound ? { grimoire } : { draft: grimoire, isPartial: shape.isPartial })),
    problems: toProblems(findings, file, lines, (offset) => (tree ? stepLabelAt(offset, tree) : undefined)),
    places: tree ? placesOf(tree, text, lines) : noPlaces,
  };
}

function readTree(text: string, lines: LineIndex, report: Report): YamlTree | undefined {
  if (new TextEncoder().encode(text).length > grimoireLimits.bytes) {
    report({ offset: 0, message: "the file is larger than 1 MiB" });
    return undefined;
  }
  const parsed = parseYaml(text, lines, report);
  return parsed && new TreeReader(text, report, placeDescriber(lines)).read(parsed.root);
}

function checkTree(tree: YamlTree, lines: LineIndex, report: Report): Shape | undefined {
  if (tree.value === unreadValue) return undefined;
  if (!isObject(tree.value)) {
    const message = tree.isEmpty([])
      ? "the file is empty"
      : `a grimoire is a mapping, not ${describeValue(tree.value)}`;
    report({ offset: tree.offsetOf([]), message, hint: "write name, description and steps" });
    return undefined;
  }
  const shape = checkShape(tree, report);
  const steps = writtenSteps(tree.value);
  checkSteps(steps, tree, report);
  checkNames(steps, tree, placeDescriber(lines), report);
  return shape;
}

/** The innermost step around an offset: the last in the order of the file that contains it. */
function stepLabelAt(offset: number, tree: YamlTree): string | undefined {
  return writtenSteps(tree.value).findLast(({ path }) => tree.contains(path, offset))?.label;
}

function placeDescriber(lines: LineIndex): (offset: number) => string {
  return (offset) => {
    const { line, column } = lines.placeOf(offset);
    return `line ${line}, column ${column}`;
  };
}
