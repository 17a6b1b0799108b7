import type { Json } from "../../contract/json.ts";
import { compactedEvent } from "../claude/stream.ts";
import { usageIn } from "../claude/usage.ts";
import { contentText } from "../content-text.ts";
import { fieldsOf, hasImpossibleCount, listOf, objectIn, textOf, type Fields } from "../read-fields.ts";
import { realPrompt } from "./claude-prompt.ts";
import { encodedTextAt, type EncodedText } from "./encoded-text.ts";
import type { TranscriptAbout, TranscriptEvent, TranscriptReader } from "./event.ts";
import { note } from "./about.ts";

/** Kinds of lines that say nothing for a session. */
const silentKinds = new Set(
  [
    "queue-operation attachment atis-latch api-request-shape api-request-blob api-request tools-used last-prompt cost-state",
    "file-history-snapshot file-history-delta progress summary custom-title agent-name agent-color agent-setting ai-title tag mode",
    "permission-mode pr-link turn_end content-replacement worktree-state bridge-session",
  ].flatMap((kinds) => kinds.split(" ")),
);
/** The tools that start subagents. */
const agentTools = new Set(["Agent", "Task"]);
/** What a message used. */
const counted = ["input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"];
const kindStart = Buffer.from('{"type":"');
const treeStart = Buffer.from('{"parentUuid":');
const attachmentKey = Buffer.from('"attachment":{"type":"');
/** No quote inside a text stands without a backslash, so that this can only be a key. */
const dataKey = Buffer.from(',"toolUseResult":');
const resultKey = Buffer.from('"tool_result","content":"');
/** The keys before a result take no more bytes. */
const resultHeadBytes = 1024;
/** Stands for a result that is not decoded. */
const hole = "(a result that is not decoded)";
const quote = 0x22;
const objectEnd = 0x7d;
/** The keys before an attachment take no more bytes. */
const headBytes = 160;
/** Below this it is quicker to read a line as a whole. */
const longLine = 2048;

/** The transcripts of Claude Code, of a session or a subagent. */
export function claudeTranscript(): TranscriptReader {
  const about: TranscriptAbout = {};
  /** Plans that wait for a person's word, by call. */
  const plans = new Map<string, string>();

  function read(line: Buffer): ReturnType<TranscriptReader["read"]> {
    if (isSilent(line)) return undefined;
    const { fields, result } = parsed(line);
    if (!fields) return { problem: "broken" };
    const kind = textOf(fields.type) ?? "";
    if (silentKinds.has(kind)) return undefined;
    if (kind !== "user" && kind !== "assistant" && kind !== "system") {
      return { problem: { unknown: kind || "none" } };
    }
    noteAbout(fields);
    const events =
      kind === "user" ? userEvents(fields, result) : kind === "assistant" ? agentEvents(fields) : systemEvents(fields);
    const at = textOf(fields.timestamp);
    const isImpossible = kind === "assistant" && hasImpossibleCount(fieldsOf(fieldsOf(fields.message).usage), counted);
    return { events, ...(at !== undefined && { at }), ...(isImpossible && { hasImpossibleCount: true }) };
  }

  function noteAbout(fields: Fields): void {
    if (about.cwd !== undefined) return;
    const agent = textOf(fields.agentId);
    const session = textOf(fields.sessionId);
    note(about, { cwd: fields.cwd, branch: fields.gitBranch });
    if (fields.isSidechain === true && agent !== undefined) note(about, { session: `agent-${agent}`, parent: session });
    else note(about, { session });
  }

  function userEvents(fields: Fields, result: EncodedText | undefined): TranscriptEvent[] {
    // The summary that a compaction leaves for the model, and what the program itself put in.
    if (fields.isMeta === true || fields.isCompactSummary === true) return [];
    const { content } = fieldsOf(fields.message);
    if (typeof content === "string") return realPrompt(content);
    const blocks = listOf(content).map(fieldsOf);
    const results = blocks.filter(({ type }) => type === "tool_result").flatMap((block) => resultEvents(block, result));
    if (results.length > 0) return results;
    return realPrompt(blocks.flatMap(({ text }) => textOf(text) ?? []).join("\n"));
  }

  function resultEvents(block: Fields, encoded: EncodedText | undefined): TranscriptEvent[] {
    const id = textOf(block.tool_use_id);
    if (id === undefined) return [];
    const failed = block.is_error === true;
    const plan = plans.get(id);
    plans.delete(id);
    return [
      { type: "tool_result", id, output: (block.content === hole && encoded) || contentText(block.content), failed },
      ...(plan !== undefined && !failed ? [{ type: "decision" as const, text: plan }] : []),
    ];
  }

  function agentEvents(fields: Fields): TranscriptEvent[] {
    const message = fieldsOf(fields.message);
    const events: TranscriptEvent[] = [];
    for (const item of listOf(message.content)) events.push(...blockEvents(fieldsOf(item), fields));
    const id = textOf(message.id);
    const model = textOf(message.model);
    if (id === undefined || model === "<synthetic>") return events;
    const usage = usageIn(fieldsOf(message.usage));
    if (usage.input_tokens + usage.output_tokens === 0) return events;
    events.push({ type: "usage", message_id: id, ...(model !== undefined && { model }), ...usage });
    return events;
  }

  function blockEvents(block: Fields, { isApiErrorMessage }: Fields): TranscriptEvent[] {
    const text = textOf(block.text);
    const id = textOf(block.id);
    if (block.type === "text" && text !== undefined) {
      return [isApiErrorMessage === true ? { type: "error", message: text } : { type: "message", text }];
    }
    if (block.type !== "tool_use" || id === undefined) return [];
    const name = textOf(block.name) ?? "unknown";
    const input: Json = block.input ?? {};
    const plan = name === "ExitPlanMode" ? textOf(fieldsOf(input).plan) : undefined;
    if (plan !== undefined) plans.set(id, plan);
    return [{ type: "tool_call", id, name, input, ...(!agentTools.has(name) && { startsNoAgent: true }) }];
  }

  return { about, read };
}

function systemEvents(fields: Fields): TranscriptEvent[] {
  if (fields.subtype !== "compact_boundary") return [];
  const { trigger, preTokens } = fieldsOf(fields.compactMetadata);
  return [
    compactedEvent({
      ...(trigger !== undefined && { trigger }),
      ...(preTokens !== undefined && { pre_tokens: preTokens }),
    }),
  ];
}

/** Most bytes stand in lines that need not be read: their first bytes tell. */
function isSilent(line: Buffer): boolean {
  if (startsWith(line, kindStart)) {
    const end = line.indexOf(quote, kindStart.length);
    return end < 64 && silentKinds.has(line.toString("latin1", kindStart.length, end));
  }
  if (line.length < headBytes || !startsWith(line, treeStart)) return false;
  const at = line.subarray(0, headBytes).indexOf(attachmentKey);
  return at > 0;
}

function startsWith(line: Buffer, start: Buffer): boolean {
  return line.length > start.length && line.compare(start, 0, start.length, 0, start.length) === 0;
}

/** The line up to `at`, and the end of an object. The sign is put into the bytes for a moment: joining would copy the text. */
function endedAt(line: Buffer, from: number, at: number): string {
  const sign = line[at]!;
  line[at] = objectEnd;
  const text = line.toString("utf8", from, at + 1);
  line[at] = sign;
  return text;
}

/** A line, and the result in it that was left as it is; `hole` stands in its place. */
interface ParsedLine {
  fields: Fields | undefined;
  result?: EncodedText;
}

/** A tool's result stands in its line twice; its second form, and what follows, is left out where that is well-formed. */
function parsed(line: Buffer): ParsedLine {
  if (line.length > longLine) {
    const start = line.subarray(0, resultHeadBytes).indexOf(resultKey) + resultKey.length;
    const result = start < resultKey.length ? undefined : encodedTextAt(line, start);
    const fields = shortForm(line, start, result);
    if (fields) return { fields, ...(result && { result }) };
    const whole = result && shortForm(line, start, undefined);
    if (whole) return { fields: whole };
  }
  return { fields: objectIn(line.toString("utf8")) };
}

/** The line without the second form of its result; with `result`, without the first, too. Undefined where it is no such line. */
function shortForm(line: Buffer, start: number, result: EncodedText | undefined): Fields | undefined {
  const end = result ? start + result.bytes.length : 0;
  const at = line.indexOf(dataKey, end);
  if (at < 0 && !result) return undefined;
  const tail = at < 0 ? line.toString("utf8", end) : endedAt(line, end, at);
  if (!result) return userFields(tail);
  const head = line.toString("utf8", 0, start);
  // The hole can be nothing else than what was put there.
  if ([head, tail].some((text) => text.includes(hole) || text.includes("\\u"))) return undefined;
  const fields = userFields(`${head}${hole}${tail}`);
  const blocks = listOf(fieldsOf(fields?.message).content).map(fieldsOf);
  return blocks.some(({ type, content }) => type === "tool_result" && content === hole) ? fields : undefined;
}

function userFields(json: string): Fields | undefined {
  const fields = objectIn(json);
  return fields?.type === "user" && fields.message !== undefined ? fields : undefined;
}
