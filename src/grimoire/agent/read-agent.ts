import * as z from "zod/mini";
import { agentKeys, agentSchema, type AgentYaml } from "../../contract/agent-schema.ts";
import type { PinnedAgent } from "../../contract/pinned-run.ts";
import type { Problem } from "../../contract/problem.ts";
import { readDuration } from "../../text/duration.ts";
import { nearest } from "../../text/nearest.ts";
import { issueFinding } from "../definition/issue-finding.ts";
import { parseYaml } from "../definition/parse-yaml.ts";
import { TreeReader, unreadValue } from "../definition/read-tree.ts";
import { toProblems, type Report, type UnplacedProblem } from "../definition/unplaced-problem.ts";
import { describeValue, didYouMean, joinWords } from "../definition/words.ts";
import type { YamlTree } from "../definition/yaml-tree.ts";
import { LineIndex } from "../text/line-index.ts";
import { isObject } from "../../text/is-object.ts";

export interface AgentFile {
  /** As a person knows it. */
  file: string;
  text: string;
  /** Why the file could not be read; its text is then empty. */
  unreadable?: string;
}

export interface ReadAgent {
  /** Only when nothing is wrong with the file itself; its engine may be one that there is not. */
  agent?: PinnedAgent;
  /** Everything that is wrong, in the order of the file. */
  problems: Problem[];
}

interface AgentRules {
  /** Whether the user allows what the repository loosens. */
  mayLoosen: boolean;
  /** The engines that there are; without them, the file's is not checked. */
  engineNames?: readonly string[] | undefined;
}

/** Reads an agent's file. Does not throw. */
export function readAgent({ file, text, unreadable }: AgentFile, { mayLoosen, engineNames }: AgentRules): ReadAgent {
  if (unreadable !== undefined)
    return { problems: [{ severity: "error", file, line: 1, column: 1, message: unreadable }] };
  const lines = new LineIndex(text);
  const findings: UnplacedProblem[] = [];
  const report: Report = (finding) => void findings.push(finding);
  const { head, body } = splitFrontmatter(text, report);
  const tree = head === "" ? undefined : readTree(head, lines, report);
  const fields = tree ? checkFields(tree, report) : {};
  if (tree && fields && !mayLoosen) refuseLoosening(fields, tree, report);
  const agent = findings.length === 0 && fields ? buildAgent(file, fields, body) : undefined;
  if (tree && agent?.engine !== undefined && engineNames) checkEngine(agent.engine, engineNames, tree, report);
  return { ...(agent && { agent }), problems: toProblems(findings, file, lines, () => undefined) };
}

/** The frontmatter with the line that opens it, which YAML reads as the begin of a document; what follows is the role. */
function splitFrontmatter(text: string, report: Report): { head: string; body: string } {
  if (!/^---[ \t]*\r?\n/.test(text)) return { head: "", body: text };
  const close = /^---[ \t]*\r?$/gm;
  close.lastIndex = text.indexOf("\n") + 1;
  const found = close.exec(text);
  if (found) return { head: text.slice(0, found.index), body: text.slice(close.lastIndex) };
  report({ offset: 0, message: "the frontmatter has no end", hint: "close it with a line of ---" });
  return { head: "", body: "" };
}

function readTree(head: string, lines: LineIndex, report: Report): YamlTree | undefined {
  const parsed = parseYaml(head, lines, report);
  const placeOf = (offset: number): string => `line ${lines.placeOf(offset).line}`;
  return parsed && new TreeReader(head, report, placeOf).read(parsed.root);
}

/** Undefined when something is wrong, which is reported. */
function checkFields(tree: YamlTree, report: Report): AgentYaml | undefined {
  const value = tree.value ?? {};
  if (value === unreadValue) return undefined;
  if (!isObject(value)) {
    const message = `the frontmatter is a mapping, not ${describeValue(value)}`;
    report({ offset: tree.offsetOf([]), message, hint: `it has ${joinWords(agentKeys, "and")}` });
    return undefined;
  }
  const result = z.safeParse(agentSchema, value, { jitless: true });
  if (result.success) return result.data;
  for (const issue of result.error.issues) {
    if (issue.code === "unrecognized_keys") reportUnknown(issue.keys, value, tree, report);
    else {
      const finding = issueFinding(issue, tree);
      if (finding) report(finding);
    }
  }
  return undefined;
}

function reportUnknown(keys: string[], fields: object, tree: YamlTree, report: Report): void {
  const unused = agentKeys.filter((each) => !Object.hasOwn(fields, each));
  for (const key of keys) {
    const hint = didYouMean(nearest(key, unused)) ?? `an agent has ${joinWords(agentKeys, "and")}`;
    report({ offset: tree.keyOffsetOf([key]), message: `unknown key ${key}`, hint });
  }
}

/** A repository may make its agents stricter, and no looser. */
function refuseLoosening({ level }: AgentYaml, tree: YamlTree, report: Report): void {
  const hint = "if you want that for all repositories: clew config set allow_full_agents true --user";
  if (level !== "full") return;
  const message = "level: full loosens protection, and you have not allowed it";
  report({ offset: tree.keyOffsetOf(["level"]), message, hint });
}

function checkEngine(engine: string, names: readonly string[], tree: YamlTree, report: Report): void {
  if (names.includes(engine)) return;
  const hint = didYouMean(nearest(engine, [...names])) ?? `there are ${names.join(", ")}`;
  report({ offset: tree.offsetOf(["engine"]), message: `there is no engine ${engine}`, hint });
}

function buildAgent(file: string, { max_time, ...fields }: AgentYaml, body: string): PinnedAgent {
  const timeMs = max_time === undefined ? undefined : readDuration(max_time);
  const role = body.trim();
  return { file, ...fields, ...(timeMs !== undefined && { max_time_ms: timeMs }), ...(role !== "" && { role }) };
}
