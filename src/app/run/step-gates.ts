import { connectedEngine } from "../../contract/connected.ts";
import type { EngineEvent } from "../../contract/engine.ts";
import type { EvidenceCall } from "../../contract/evidence.ts";
import type { GatePass, MissingEvidence } from "../../contract/evidence-values.ts";
import { gateWords, type CallGate, type RenderedCommandGate, type RenderedGate } from "../../contract/gate.ts";
import type { Redacted, RedactValue } from "../../contract/redacted.ts";
import type { StepResult, StepWork } from "../../contract/run.ts";
import type { AgentInput, ScriptInput } from "../../contract/step-input.ts";
import type { Handler, WorkContext } from "../../run/handlers.ts";
import { shortScript } from "../../run/proofs.ts";
import { cutForReading } from "../../run/script-text.ts";
import { checkCallGate, isAskedFor } from "../evidence/check-gates.ts";
import { ObservedCalls } from "../evidence/observed-calls.ts";
import { connectedCalls } from "../evidence/connected-calls.ts";
import type { EvidenceFiles, SightFiles, TranscriptLook, WorktreeLook } from "../evidence/ports.ts";
import type { AgentHook } from "../engine/agents.ts";

export interface StepGateParts {
  evidence: EvidenceFiles;
  lookAt: (work: StepWork, context: WorkContext) => WorktreeLook;
  runScript: Handler<ScriptInput>;
  redact: RedactValue;
  now: () => string;
  /** What hooks see of connected agents, which no process of Clew's listens to. */
  connected: { sights: SightFiles; toldBy: TranscriptLook };
  /** Calls `work` once the time has passed; returns how to call it off. */
  later: (ms: number, work: () => void) => () => void;
}

type AgentWork = StepWork & { input: AgentInput };

/** What was seen of one agent of a run, and whether that is what its step requires. */
export class StepGates {
  readonly #parts: StepGateParts;
  readonly #work: AgentWork;
  readonly #context: WorkContext;
  readonly #gates: readonly RenderedGate[];
  readonly #worktree: WorktreeLook;
  readonly #calls: ObservedCalls;

  constructor(
    parts: StepGateParts,
    work: AgentWork,
    context: WorkContext,
    { session, expectsHooks }: { session: string | undefined; expectsHooks: boolean },
  ) {
    const { path, attempt, input } = work;
    this.#parts = parts;
    this.#work = work;
    this.#context = context;
    this.#gates = input.requires ?? [];
    this.#worktree = parts.lookAt(work, context);
    this.#want();
    this.#calls = new ObservedCalls(
      {
        files: parts.evidence,
        worktree: this.#worktree,
        redact: parts.redact,
        now: parts.now,
        later: parts.later,
        isAskedFor: (call) => isAskedFor(this.#gates, call),
      },
      { run: context.runId, session: session ?? null, path, attempt, engine: input.engine, expectsHooks },
    );
  }

  take(event: Redacted<EngineEvent>): void {
    this.#calls.take(event);
  }

  hear(hook: AgentHook): Promise<void> {
    return this.#calls.hear(hook);
  }

  /** What the agent itself has not done yet, completing "the result …": it can do it, and hand in its result again. */
  async lacks(): Promise<string | undefined> {
    const missing = (await this.#checkCalls(await this.#calls.soFar())).filter(isMissing);
    return missing.length === 0 ? undefined : `does not count yet: ${missing.map(missingWords).join("; ")}`;
  }

  /** Has the hooks of a connected agent look out for what is required, and know of its step. */
  #want(gates = this.#gates.filter(isCallGate)): void {
    const { path, attempt, input } = this.#work;
    if (input.engine !== connectedEngine) return;
    const { runId: run, pinned } = this.#context;
    const { folder, worktree, base, target, policy = [] } = pinned;
    const place = { folder, ...(worktree && { worktree }), base, target };
    const rules = policy.length > 0 && ({ rules: true } as const);
    const { sights } = this.#parts.connected;
    sights.want(this.#parts.redact({ v: 1, run, path, attempt, pinned: place, gates, ...rules }));
  }

  /** The step is over. What its run began with holds on. */
  #unwant(): void {
    if (this.#work.input.engine !== connectedEngine) return;
    const { runId, pinned } = this.#context;
    if (pinned.policy?.length) this.#want([]);
    else this.#parts.connected.sights.unwant(runId);
  }

  /** What hooks saw of a connected agent. */
  async #takeSights(): Promise<void> {
    const { path, attempt, input } = this.#work;
    if (input.engine !== connectedEngine || !this.#gates.some(isCallGate)) return;
    const { sights, toldBy } = this.#parts.connected;
    const { runId } = this.#context;
    const own = sights.sights(runId).filter((each) => each.step === path && each.attempt === attempt);
    const known = new Set((await this.#calls.soFar()).map(({ tool_use_id: id }) => id));
    for (const each of connectedCalls(own, toldBy)) if (!known.has(each.tool_use_id)) await this.#calls.add(each);
  }

  /** The agent has ended. Gives its result as it counts: one that lacks what its step requires is a failure. */
  async judge(result: StepResult): Promise<StepResult> {
    const calls = await this.#observed();
    if (!result.success || this.#gates.length === 0) return result;
    const checked = await this.#checkCalls(calls);
    // What the agent itself lacks is told at once: a command may take long.
    if (!checked.some(isMissing))
      for (const gate of this.#gates) if (gate.kind === "command") checked.push(await this.#run(gate));
    const missing = checked.filter(isMissing);
    const evidence = checked.filter((each): each is GatePass => !isMissing(each));
    if (missing.length === 0) return { ...result, evidence };
    return {
      ...result,
      success: false,
      error: `its result does not count: ${missing.map(missingWords).join("; ")}`,
      missing,
    };
  }

  /** What cannot be kept is no evidence; that alone stops no agent. */
  async #observed(): Promise<EvidenceCall[]> {
    try {
      await this.#takeSights();
      this.#unwant();
      return await this.#calls.end();
    } catch (error) {
      const what = error instanceof Error ? error.message : String(error);
      this.#context.log({ type: "step.warning", message: `what its agent did could not be kept as evidence: ${what}` });
      return [];
    }
  }

  async #checkCalls(calls: EvidenceCall[]): Promise<(GatePass | MissingEvidence)[]> {
    const callGates = this.#gates.filter(isCallGate);
    if (callGates.length === 0) return [];
    const parts = { worktree: this.#worktree, tree: await this.#worktree.tree(), base: this.#context.pinned.base };
    return Promise.all(callGates.map((gate) => checkCallGate(gate, calls, parts)));
  }

  /** Runs what the step requires, when no process of the agent is left to change anything. */
  async #run(gate: RenderedCommandGate): Promise<GatePass | MissingEvidence> {
    const { expect, timeout_ms: timeoutMs, ...script } = gate;
    const command = shortScript(script);
    const { signal } = this.#context;
    this.#context.log({ type: "step.note", message: `the step requires: ${command}` });
    const timeout = new AbortController();
    const callOff =
      timeoutMs === undefined ? () => undefined : this.#parts.later(timeoutMs, () => timeout.abort("timeout"));
    const limit = AbortSignal.any([signal, timeout.signal]);
    const before = await this.#worktree.tree();
    const work = { ...this.#work, input: { ...script, kind: "script" as const } };
    const result = await this.#parts.runScript(work, { ...this.#context, signal: limit }).finally(callOff);
    const after = await this.#worktree.tree();
    const exit = result.exit_code ?? null;
    const isCutOff = timeout.signal.aborted;
    const isAsExpected = !isCutOff && isExpected(expect, result);
    const call = await this.#calls.add({
      tool: "command",
      kind: "shell",
      tool_use_id: null,
      witnesses: ["clew"],
      command,
      failed: !isAsExpected,
      exit: isCutOff ? null : exit,
      tree_before: before ?? null,
      tree: after ?? null,
    });
    if (isAsExpected) return { id: call.id, command, tree: before === after ? call.tree : null };
    const said = lastLine(result);
    const how = isCutOff
      ? "took longer than it may"
      : `${result.error ?? `exited with ${exit ?? "nothing"}`}${said === "" ? "" : `: ${said}`}`;
    const isShort = !command.includes("\n");
    const wanted = `this step requires that ${gateWords(gate, isShort ? command : "its check")}`;
    const message = `${wanted}: it ${typeof expect === "string" && result.success ? "printed no such text" : how}`;
    return {
      kind: "command_failed",
      message,
      fix: isShort ? `mend what it tells: ${command}` : `mend what it tells: clew evidence show ${call.id}`,
    };
  }
}

function isCallGate(gate: RenderedGate): gate is CallGate {
  return gate.kind === "call";
}

function isMissing(each: GatePass | MissingEvidence): each is MissingEvidence {
  return "kind" in each;
}

function missingWords({ message, fix }: MissingEvidence): string {
  return `${message} (${fix})`;
}

/** Which often tells why. */
function lastLine({ output, stderr = "" }: StepResult): string {
  const texts = [output, stderr].map((text) => (typeof text === "string" ? text.trimEnd().split("\n").at(-1)! : ""));
  return cutForReading(texts.find((text) => text !== "") ?? "");
}

function isExpected(expect: number | string, { success, exit_code, output, stderr = "" }: StepResult): boolean {
  if (typeof expect === "number") return exit_code === expect;
  return success && [output, stderr].some((text) => typeof text === "string" && text.includes(expect));
}
