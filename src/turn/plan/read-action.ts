import type { PlanAction, PlannedAction } from "../../contract/plan.ts";
import { keyForms, keysOf, type ActionKey } from "./action-keys.ts";
import type { Block } from "./blocks.ts";
import type { FenceBlock } from "./fence.ts";
import { Fields } from "./fields.ts";
import { inlineQuote, type Findings, type Spot } from "./findings.ts";
import type { ActionHeading } from "./plain-words.ts";
import { refuseMarkIn } from "./read-content.ts";
import { EditReader } from "./read-edits.ts";
import { Values } from "./read-values.ts";
import { expectedPath } from "./plan-path.ts";
import { readReadLine, readResearchLine } from "./sources.ts";

const allKeys = Object.keys(keyForms) as ActionKey[];
const contentForm: Record<string, string> = {
  CREATE: "~~~~~~ around the file's content",
  READ: "~~~~~~ around paths, one a line",
  RESEARCH: "~~~~~~ around paths, addresses or questions, one a line",
  EXECUTE: "~~~~~~shell, the command, ~~~~~~",
  CHAT_WITH_USER: "~~~~~~ around what to say",
  INVOKE: "~~~~~~ around what the agent is told",
};
/** What a command's fence may call it; all are given to /bin/sh. */
const shells = ["", "sh", "shell", "bash", "zsh", "console", "terminal", "text", "plaintext", "txt"];

/** Reads one action: its heading, and the pieces below it. What is wrong is reported, and the action then not to be used. */
export function readAction(heading: Spot & ActionHeading, body: Block[], findings: Findings): PlannedAction {
  const { type } = heading;
  const fields = new Fields({ keys: keysOf[type], others: allKeys, owner: type }, findings);
  const edits = type === "EDIT" ? new EditReader(findings) : undefined;
  let content: FenceBlock | undefined;
  for (const block of body) {
    if (block.kind !== "fence") {
      if (edits?.takeLabel(block)) continue;
      if (block.kind === "heading" || !fields.take(block)) reportStray(block, type, findings);
    } else if (edits) edits.takeFence(block);
    else if (content) {
      findings.error(block, `${type} has a second fence, after that of line ${content.line + 1}`, contentForm[type]);
    } else content = block;
  }
  const values = new Values(fields, findings, heading, type);
  if (!edits && !content) findings.error(heading, `${type} has no fence`, contentForm[type]);
  const action = buildAction(heading, values, content, edits, findings);
  const description = values.text("Description") ?? heading.rest;
  return { ...action, line: heading.line + 1, description, may_fail: values.flag("Allow Failure") };
}

function reportStray(block: Exclude<Block, FenceBlock>, type: string, findings: Findings): void {
  const what = block.kind === "heading" ? "heading" : "text";
  const message = `this ${what} is no part of ${type}: ${inlineQuote(block.text)}`;
  findings.error(block, message, "keys as - **Key:** value, and content between ~~~~~~");
}

function buildAction(
  heading: Spot & ActionHeading,
  values: Values,
  content: FenceBlock | undefined,
  edits: EditReader | undefined,
  findings: Findings,
): PlanAction {
  const { type } = heading;
  const lines = content?.content ?? [];
  switch (type) {
    case "CREATE": {
      if (content) refuseMarkIn(content, findings);
      const text = lines.length === 0 ? "" : `${lines.join("\n")}\n`;
      return { type, path: values.filePath(), content: text, overwrite: values.flag("Overwrite") };
    }
    case "EDIT":
      return { type, path: values.filePath(), edits: edits!.finish(heading) };
    case "READ":
    case "RESEARCH":
      return readSources(type, content, findings);
    case "EXECUTE":
      return { type, command: commandOf(content, findings), ...executeOptions(values) };
    case "CHAT_WITH_USER":
      return { type, text: textOf(type, content, findings) };
    case "INVOKE":
      return { type, agent: values.agent(), text: textOf(type, content, findings) };
  }
}

function executeOptions(values: Values): { expected?: string; cwd?: string; timeout_ms?: number } {
  const expected = values.text("Expected Outcome");
  const cwd = values.folder("Working Directory");
  const timeoutMs = values.durationMs("Timeout");
  return {
    ...(expected !== undefined && { expected }),
    ...(cwd !== undefined && { cwd }),
    ...(timeoutMs !== undefined && { timeout_ms: timeoutMs }),
  };
}

function commandOf(content: FenceBlock | undefined, findings: Findings): string {
  if (!content) return "";
  const command = textOf("EXECUTE", content, findings);
  refuseMarkIn(content, findings);
  if (command.includes("\0")) findings.error(content, "the command holds a NUL character", "a command of text");
  if (!shells.includes(content.info.toLowerCase())) {
    const message = `EXECUTE gives its command to the shell, not to ${inlineQuote(content.info)}`;
    findings.error(content, message, contentForm["EXECUTE"]);
  }
  return command;
}

/** The text of a fence, which must not be empty. */
function textOf(type: string, content: FenceBlock | undefined, findings: Findings): string {
  const text = content?.content.join("\n") ?? "";
  if (content && !content.isBroken && text.trim() === "")
    findings.error(content, `the fence of ${type} is empty`, contentForm[type]);
  return text;
}

function readSources(type: "READ" | "RESEARCH", content: FenceBlock | undefined, findings: Findings): PlanAction {
  if (content) {
    textOf(type, content, findings);
    refuseMarkIn(content, findings);
  }
  const read = (reader: typeof readReadLine | typeof readResearchLine) =>
    (content?.content ?? []).flatMap((line, index) => {
      const source = reader(line);
      if (source === undefined) return [];
      if (!("wrong" in source)) return [source];
      const offset = line.length - line.trimStart().length;
      findings.error({ line: content!.line + 1 + index, offset }, source.wrong, expectedSource[type]);
      return [];
    });
  return type === "READ"
    ? { type, sources: read(readReadLine).flatMap((source) => ("path" in source ? [source.path] : [])) }
    : { type, sources: read(readResearchLine).flatMap((source) => ("kind" in source ? [source] : [])) };
}

const expectedSource = { READ: expectedPath, RESEARCH: "a path, an address with https:// or http://, or a question" };
