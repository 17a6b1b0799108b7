import type { Json } from "../../../contract/grimoire.ts";
import { textOf, type Fields } from "../../../engine/read-fields.ts";
import type { HookVerdict, TellHook } from "./hooks.ts";
import type { ToolOutcome } from "./tools.ts";

export interface ToolCall {
  name: string;
  input: Fields;
  id: string;
}

/** What does the work of a call, and asks a person before it where a hook wants that. */
interface CallParts {
  work: (input: Fields) => ToolOutcome | Promise<ToolOutcome>;
  ask: (input: Fields) => Promise<ToolOutcome>;
  isInterrupted: () => boolean;
  monotonicMs: () => number;
}

/** The hooks of one engine session, and what they gave the model to read. */
export class StageHooks {
  readonly #tell: TellHook;
  readonly #print: (line: Fields) => Promise<void>;
  readonly #model: string;
  /** What hooks added since the last compaction. */
  #heard: string[] = [];
  /** Calls of the turn that is played, for `PostToolBatch`. */
  #batch: Fields[] = [];
  /** Acts as if the engine skipped its hooks. */
  isSkipped = false;

  constructor(tell: TellHook, print: (line: Fields) => Promise<void>, model: string) {
    this.#tell = tell;
    this.#print = print;
    this.#model = model;
  }

  /** What the model has read of hooks, one text. */
  get heard(): string {
    return this.#heard.join("\n");
  }

  async tell(event: string, fields: Fields = {}): Promise<HookVerdict> {
    if (this.isSkipped) return {};
    const verdict = await this.#tell(event, fields);
    if (verdict.context !== undefined && event !== "PreCompact") {
      this.#heard.push(verdict.context);
      await this.#print({ type: "system", subtype: "hook_context", hook_event: event, content: verdict.context });
    }
    return verdict;
  }

  /** What was heard before belongs to an earlier message. */
  forget(): void {
    this.#heard = [];
  }

  async begin(source: "startup" | "resume" | "compact"): Promise<void> {
    await this.tell("SessionStart", { source, model: this.#model });
  }

  /** Makes a call, unless a hook denies it, with the input that a hook gives it. Returns why the agent has to stop, if a hook says so. */
  async call({ name, input, id }: ToolCall, parts: CallParts): Promise<ToolOutcome & { stop?: string }> {
    const about = { tool_name: name, tool_use_id: id };
    const before = await this.tell("PreToolUse", { ...about, tool_input: input });
    const stop = before.stop === undefined ? {} : { stop: before.stop };
    if (before.decision === "deny") return { output: before.reason ?? "a hook denied it", failed: true, ...stop };
    const given = before.input ?? input;
    const asked = before.decision === "ask" ? await parts.ask(given) : undefined;
    if (asked?.failed) return { ...asked, ...stop };
    const startedMs = parts.monotonicMs();
    const outcome = await parts.work(given);
    const took = { tool_input: given, duration_ms: Math.round(parts.monotonicMs() - startedMs) };
    this.#batch.push({ tool_name: name, tool_input: given, tool_use_id: id, tool_response: outcome.output });
    if (outcome.failed) {
      const error = { error: outcome.output, is_interrupt: parts.isInterrupted() };
      const after = await this.tell("PostToolUseFailure", { ...about, ...took, ...error });
      return { ...outcome, ...stop, ...(after.stop !== undefined && { stop: after.stop }) };
    }
    const after = await this.tell("PostToolUse", { ...about, ...took, tool_response: response(name, given, outcome) });
    const output = after.output === undefined ? outcome.output : textFor(after.output);
    return { output, failed: false, ...stop, ...(after.stop !== undefined && { stop: after.stop }) };
  }

  /** A turn has made its calls. */
  async endBatch(): Promise<void> {
    const calls = this.#batch;
    this.#batch = [];
    if (calls.length > 0) await this.tell("PostToolBatch", { tool_calls: calls });
  }

  /** Acts as if the conversation became too long: what hooks added before is forgotten. A hook can refuse it. */
  async compact(trigger: "auto" | "manual", preTokens: number): Promise<void> {
    const before = await this.tell("PreCompact", { trigger, custom_instructions: null });
    if (before.decision === "deny") return;
    this.forget();
    const metadata = { trigger, pre_tokens: preTokens };
    await this.#print({ type: "system", subtype: "compact_boundary", compact_metadata: metadata });
    await this.begin("compact");
    const words = before.context === undefined ? "" : ` Instructions: ${before.context}`;
    await this.tell("PostCompact", { trigger, compact_summary: `<summary>The work so far.${words}</summary>` });
  }
}

/** What Claude's tools give to a hook. */
function response(name: string, input: Fields, { output }: ToolOutcome): Json {
  if (name === "Bash")
    return { stdout: output, stderr: "", interrupted: false, isImage: false, noOutputExpected: false };
  if (name !== "Write") return output;
  const file = { filePath: textOf(input.file_path) ?? "", content: textOf(input.content) ?? "" };
  return { type: "create", ...file, structuredPatch: [], originalFile: null, userModified: false };
}

export function textFor(value: Json | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? "");
}
