import { parseYaml } from "../definition/parse-yaml.ts";
import { TreeReader, unreadValue } from "../definition/read-tree.ts";
import type { Report } from "../definition/unplaced-problem.ts";
import { didYouMean, joinWords } from "../definition/words.ts";
import type { Path, PlacedTree } from "../definition/yaml-tree.ts";
import { LineIndex } from "../text/line-index.ts";
import { isObject } from "../../text/is-object.ts";
import { nearest } from "../../text/nearest.ts";
import type { PlacedBlock } from "./read-markup.ts";

const workKeys = ["when", "input", "output", "timeout", "detach"];
const stepKeys: Record<"agent" | "script", readonly string[]> = {
  agent: ["spell", "agent", "engine", "model", ...workKeys],
  script: ["command", ...workKeys],
};

/** YAML within a workflow. */
export interface EmbeddedYaml {
  fields: Record<string, unknown>;
  offsetOf: PlacedTree["offsetOf"];
  keyOffsetOf: PlacedTree["keyOffsetOf"];
  isEmpty: PlacedTree["isEmpty"];
}

/** The YAML of a frontmatter or a `step` fence. Undefined when it is no mapping, which is reported. */
export function readEmbeddedYaml(
  { content, offset }: PlacedBlock,
  source: string,
  report: Report,
): EmbeddedYaml | undefined {
  const start = content[0]?.start ?? offset;
  const text = source.slice(start, content.at(-1)?.end ?? start);
  const lines = new LineIndex(text);
  const shifted: Report = (finding) => report({ ...finding, offset: finding.offset + start });
  const parsed = parseYaml(text, lines, shifted);
  const describePlace = (at: number): string => `line ${lines.placeOf(at).line} of the block`;
  const tree = parsed && new TreeReader(text, shifted, describePlace).read(parsed.root);
  if (!tree || tree.value === unreadValue) return undefined;
  const fields = tree.value ?? {};
  if (!isObject(fields)) {
    report({ offset: start, message: "must be a mapping of keys to values" });
    return undefined;
  }
  return {
    fields,
    offsetOf: (path: Path) => tree.offsetOf(path) + start,
    keyOffsetOf: (path: Path) => tree.keyOffsetOf(path) + start,
    isEmpty: (path: Path) => tree.isEmpty(path),
  };
}

/** What only the grimoire form has, in words. */
const elsewhere: Record<string, string> = {
  requires: "gates exist in the grimoire form only",
  on_success: "loops exist in the grimoire form only",
  on_fail: "the heading's ! or ? says what follows a failure",
  outputs: "Takes … → creates: lists them",
};

/** The keys of a `step` fence are those of a step that the markup has no other words for. */
export function checkStepKeys({ fields, keyOffsetOf }: EmbeddedYaml, type: "agent" | "script", report: Report): void {
  const keys = stepKeys[type];
  for (const key of Object.keys(fields)) {
    if (keys.includes(key)) continue;
    const hint =
      (Object.hasOwn(elsewhere, key) ? elsewhere[key] : didYouMean(nearest(key, keys))) ??
      `the step of ${type === "agent" ? "an agent" : "a script"} has ${joinWords(keys, "and")} here`;
    report({ offset: keyOffsetOf([key]), message: `unknown key ${key}`, hint });
  }
}
