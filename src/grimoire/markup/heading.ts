import { hasControls } from "../../text/controls.ts";
import { trimEndOf } from "../../text/trim.ts";
import type { NodeBlock, TitleBlock } from "./document.ts";

/** What is wrong with a line, and where in it. */
export interface LineProblem {
  at: number;
  message: string;
  hint?: string;
  severity?: "warning";
}

type Heading = { block: NodeBlock | TitleBlock; at: number } | LineProblem;

const maxNameChars = 200;

/** `# Title`, or `## Name @agent #channel !`; undefined when the line is no heading. */
export function readHeading(line: string): Heading | undefined {
  const opening = /^ {0,3}(#{1,6})(?:[ \t]+|$)/.exec(line);
  if (!opening) return crampedHeading(line);
  const level = opening[1]!.length;
  const at = opening[0].length;
  const text = withoutClosing(line.slice(at).trimEnd());
  if (level === 1) {
    if (text === "") return { at: 0, message: "a title without words", hint: "write # and what the workflow is for" };
    return { block: { kind: "title", text }, at };
  }
  return readNode(text, level, at);
}

/** `##Name` is text. With an agent it was meant as a node, which would not run. */
function crampedHeading(line: string): LineProblem | undefined {
  const [, blanks = "", marks = "", rest = ""] = /^( {0,3})(#{2,6})(\p{L}.*)$/u.exec(line) ?? [];
  if (marks === "") return undefined;
  const read = readNode(withoutClosing(rest.trimEnd()), marks.length, 0);
  const isNode = "block" in read && "agent" in read.block;
  return {
    at: blanks.length + marks.length,
    message: `no blank behind ${marks}: this is text, and no node`,
    hint: `write ${marks} and a blank before the name; what is meant as text stands in \`code\``,
    ...(!isNode && { severity: "warning" }),
  };
}

function readNode(text: string, level: number, at: number): Heading {
  let rest = text;
  let mark: NodeBlock["mark"];
  if (/[!?]$/.test(rest)) {
    mark = rest.endsWith("!") ? "critical" : "optional";
    rest = rest.slice(0, -1).trimEnd();
    if (/(?:^|[ \t])[!?]+$/.test(rest))
      return { at: at + rest.length - 1, message: "more than one mark", hint: "a node has one: ! or ?" };
  }
  let agent: string | undefined;
  let channel: string | undefined;
  for (;;) {
    const start = Math.max(rest.lastIndexOf(" "), rest.lastIndexOf("\t")) + 1;
    const word = rest.slice(start);
    if (word.length < 2 || (word[0] !== "@" && word[0] !== "#")) break;
    const isSecond = word.startsWith("@") ? agent !== undefined : channel !== undefined;
    if (isSecond) {
      const what = word.startsWith("@") ? "agent" : "channel";
      return { at: at + start, message: `${word} is a second ${what}`, hint: `a node has one ${what}` };
    }
    if (word.startsWith("@")) agent = word.slice(1);
    else channel = word.slice(1);
    rest = rest.slice(0, start).trimEnd();
  }
  const problem = nameProblem(rest, at) ?? wordProblem(agent, "agent", at) ?? wordProblem(channel, "channel", at);
  if (problem) return problem;
  const fields = { ...(agent !== undefined && { agent }), ...(channel !== undefined && { channel }) };
  return { block: { kind: "node", level, name: rest, ...fields, ...(mark && { mark }) }, at };
}

/** A name has to be found again in lines such as `a, b → c`. */
function nameProblem(name: string, at: number): LineProblem | undefined {
  if (name === "") return { at, message: "a node without a name", hint: "write ## Name @agent #channel" };
  if (name.length > maxNameChars) return { at, message: `a name is longer than ${maxNameChars} characters` };
  if (hasControls(name)) return { at, message: "a name has a control character in it" };
  const stray = /(?:^|[ \t])[@#][^ \t]/.exec(name);
  if (stray) {
    const hint = "agent and channel stand at the end: ## Name @agent #channel";
    return { at: at + stray.index, message: "an agent or channel stands inside the name", hint };
  }
  const mark = name.at(-1);
  if (mark === "!" || mark === "?") {
    const bare = name.slice(0, -1).trimEnd();
    const hint = `write ## ${bare.slice(-40)} @agent #channel ${mark}, with one mark; in a name it says nothing`;
    return { at: at + bare.length, message: `the name ends in ${mark}: a mark stands at the heading's end`, hint };
  }
  const sign = /→|->|,|::|`|\{\{/.exec(name);
  return sign ? { at: at + sign.index, message: `a name must not have ${sign[0]} in it` } : undefined;
}

function wordProblem(word: string | undefined, what: string, at: number): LineProblem | undefined {
  if (word === undefined) return undefined;
  if (word.length > maxNameChars) return { at, message: `the ${what} is longer than ${maxNameChars} characters` };
  if (hasControls(word)) return { at, message: `the ${what} has a control character in it` };
  return /[!?]$/.test(word) ? { at, message: `the ${what} ends in more than one mark` } : undefined;
}

/** Without the `##` that may close a heading. */
function withoutClosing(text: string): string {
  const open = trimEndOf(text, "#");
  return open === text || (open !== "" && !/[ \t]$/.test(open)) ? text : open.trimEnd();
}
