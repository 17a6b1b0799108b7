import type { AtifStep } from "../../../contract/atif.ts";
import type { Entry, SubagentEntry, TokensEntry, ToolEntry } from "../../../contract/session.ts";
import { callArguments } from "../call-arguments.ts";

/** Makes the steps of a trajectory, entry by entry. Calls belong to what the agent said before them. */
export class AtifSteps {
  readonly steps: AtifStep[] = [];
  /** The agent's step that calls still go into. */
  #open: AtifStep | undefined;
  #lastOfAgent: AtifStep | undefined;
  #phase: Pick<AtifStep, "timestamp" | "extra"> | undefined;
  #calls = 0;

  /** The first step of a phase names it, and tells when it began. */
  beginPhase(title: string, at: string | undefined): void {
    this.#open = undefined;
    this.#phase = { extra: { phase: title }, ...(at !== undefined && { timestamp: at }) };
  }

  /** `embedded` is the trajectory of a subagent, where one stands in this file. */
  add(entry: Entry, line: number, embedded?: string): void {
    switch (entry.kind) {
      case "tool":
        return this.#addCall(entry, line);
      case "subagent":
        return this.#addSubagent(entry, line, embedded);
      case "tokens":
        return this.#addTokens(entry);
      case "text":
        return void (this.#open = this.#begin("agent", entry.text, { line }));
      case "user":
        return this.#say("user", entry.text, { line, ...(entry.action !== undefined && { action: entry.action }) });
      case "error": {
        const resolution = entry.resolution === undefined ? {} : { resolution: entry.resolution };
        return this.#say("system", entry.text, { line, kind: "error", ...resolution });
      }
      case "remark":
        return this.#say("system", entry.text, { line, kind: entry.about ?? "remark" });
      case "note":
      case "answer":
        return this.#say("user", entry.text, { line, kind: entry.kind });
      case "decision":
      case "task_complete":
      case "decision_needed":
      case "approval_required":
        return this.#say("agent", entry.text, { line, kind: entry.kind });
    }
  }

  #begin(source: AtifStep["source"], message: string, extra: Record<string, unknown>): AtifStep {
    const { extra: phase, ...began } = this.#phase ?? {};
    this.#phase = undefined;
    const step: AtifStep = { step_id: this.steps.length + 1, source, message, ...began, extra: { ...extra, ...phase } };
    this.steps.push(step);
    if (source === "agent") this.#lastOfAgent = step;
    return step;
  }

  #say(source: AtifStep["source"], message: string, extra: Record<string, unknown>): void {
    this.#open = undefined;
    this.#begin(source, message, extra);
  }

  #call(name: string, args: Record<string, unknown>, line: number): { step: AtifStep; id: string } {
    const step = (this.#open ??= this.#begin("agent", "", { line }));
    const id = `call-${++this.#calls}`;
    (step.tool_calls ??= []).push({ tool_call_id: id, function_name: name, arguments: args });
    return { step, id };
  }

  #addCall(entry: ToolEntry, line: number): void {
    const { step, id } = this.#call(entry.name, callArguments(entry), line);
    const content = entry.result_full ?? entry.result;
    if (content !== undefined) (step.observation ??= { results: [] }).results.push({ source_call_id: id, content });
    if (entry.failed)
      step.extra = { ...step.extra, failed_calls: [...((step.extra?.["failed_calls"] as string[]) ?? []), id] };
  }

  #addSubagent(
    { agent, model, mode, summary, content, session }: SubagentEntry,
    line: number,
    embedded?: string,
  ): void {
    const about = { agent, mode, ...(model !== undefined && { model }), ...(session !== undefined && { session }) };
    const { step, id } = this.#call("subagent", about, line);
    const told = summary ?? (embedded === undefined ? content : undefined);
    (step.observation ??= { results: [] }).results.push({
      source_call_id: id,
      ...(told !== undefined && { content: told }),
      ...(embedded !== undefined && { subagent_trajectory_ref: [{ trajectory_id: embedded }] }),
    });
  }

  /** Counts belong to the agent's last step; a session tells them for all that stands before. */
  #addTokens({ tokens, model, cost_usd }: TokensEntry): void {
    const step = this.#lastOfAgent;
    if (!step) return;
    const before = (step.metrics?.extra?.["total_tokens"] as number | undefined) ?? 0;
    const cost = (step.metrics?.cost_usd ?? 0) + (cost_usd ?? 0);
    step.metrics = { ...(cost > 0 && { cost_usd: cost }), extra: { total_tokens: before + tokens } };
    if (model !== undefined) step.model_name = model;
    this.#open = undefined;
  }
}
