import type { Problem } from "../../contract/problem.ts";
import { parseYaml } from "../../grimoire/definition/parse-yaml.ts";
import { TreeReader } from "../../grimoire/definition/read-tree.ts";
import { toProblems, type Report, type UnplacedProblem } from "../../grimoire/definition/unplaced-problem.ts";
import { LineIndex } from "../../grimoire/text/line-index.ts";
import { codePoints } from "../../session/text.ts";
import { isObject } from "../../text/is-object.ts";
import { skillLimits } from "./skill.ts";

const skillNames = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** What is wrong with the text of a SKILL.md. Does not throw. */
export function checkSkill(text: string, file: string): Problem[] {
  const lines = new LineIndex(text);
  const findings: UnplacedProblem[] = [];
  const report: Report = (finding) => void findings.push(finding);
  const parts = /^---\n((?:(?!---\n).*\n)*)---\n/.exec(text);
  if (!parts) report({ offset: 0, message: "a skill begins with frontmatter between two lines of ---" });
  else {
    checkHead(`---\n${parts[1]}`, lines, report);
    const body = text.slice(parts[0].length);
    if (body.trim() === "")
      report({ offset: parts[0].length, message: "the skill says nothing below its frontmatter" });
    if (body.trimEnd().split("\n").length > skillLimits.bodyLines)
      report({
        offset: parts[0].length,
        message: "a skill has less than 500 lines",
        hint: "move parts into files beside it",
      });
  }
  return toProblems(findings, file, lines, () => undefined);
}

function checkHead(head: string, lines: LineIndex, report: Report): void {
  const parsed = parseYaml(head, lines, report);
  if (!parsed) return;
  const tree = new TreeReader(head, report, (offset) => `line ${lines.placeOf(offset).line}`).read(parsed.root);
  const fields = isObject(tree.value) ? tree.value : {};
  const { name, description } = fields;
  if (typeof name !== "string" || !skillNames.test(name) || name.length > skillLimits.name) {
    const hint = `1 to ${skillLimits.name} small letters, digits and single hyphens`;
    report({
      offset: tree.offsetOf(name === undefined ? [] : ["name"]),
      message: "name is missing or no name of a skill",
      hint,
    });
  }
  if (
    typeof description !== "string" ||
    description.trim() === "" ||
    codePoints(description) > skillLimits.description
  ) {
    const hint = `1 to ${skillLimits.description} characters: what the skill does, and when to use it`;
    const offset = tree.offsetOf(description === undefined ? [] : ["description"]);
    report({ offset, message: "description is missing or too long", hint });
  }
}
