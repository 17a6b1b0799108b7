import type { EngineEvent, ToolCallEvent, ToolResultEvent } from "../../contract/engine.ts";
import type { EvidenceCall, Witness } from "../../contract/evidence.ts";
import type { Redacted, RedactValue } from "../../contract/redacted.ts";
import type { StepAddress } from "../../contract/run.ts";
import { shellCallOf, toolKindOf } from "../../engine/tool-kinds.ts";
import { readFiles } from "../../engine/read-files.ts";
import { disagreement, type Sight } from "../../evidence/agreement.ts";
import type { AgentHook } from "../engine/agents.ts";
import { exitInHook } from "./hook-exit.ts";
import type { EvidenceFiles, WorktreeLook } from "./ports.ts";

interface Parts {
  files: EvidenceFiles;
  worktree: WorktreeLook;
  redact: RedactValue;
  now: () => string;
  /** Whether a gate may ask for such a call: then the trees before and after it are kept. */
  isAskedFor: (call: ObservedTool) => boolean;
  /** Calls `work` once the time has passed; returns how to call it off. */
  later: (ms: number, work: () => void) => () => void;
}

/** A hook may be heard before what the engine printed at the same time. */
const patienceMs = 2_000;

export interface ObservedTool {
  tool: string;
  command?: string | undefined;
}

/** Whose calls are observed. */
export interface ObservedAgent extends StepAddress {
  run: string;
  session: string | null;
  engine: string;
  /** Whether the engine calls hooks: then stream and hooks have to agree. */
  expectsHooks: boolean;
}

interface OpenCall {
  stream?: ToolCallEvent;
  result?: ToolResultEvent;
  before?: HookSight;
  after?: HookSight;
  treeBefore?: Promise<string | null>;
  treeAfter?: Promise<string | null>;
  /** A hook told of it twice: one of them was not the engine's. */
  isDoubled?: true;
}

type HookSight = Sight & { becomes?: string | undefined; folder?: string | undefined; exit?: number | undefined };

/**
 * The calls of one agent's tools, as its engine's stream and its hooks tell of them. Each is on disk, with what stood in the worktree
 * where a gate asks for it, before the agent hears of its result (where hooks are called), and at the latest when the agent has ended.
 */
export class ObservedCalls {
  readonly #parts: Parts;
  readonly #agent: ObservedAgent;
  readonly #open = new Map<string, OpenCall>();
  readonly #calls: EvidenceCall[];
  #count: number;
  readonly #onClosed = new Set<() => void>();
  /** What is being written, in order. */
  #writing: Promise<void> = Promise.resolve();

  /** An attempt that was cut off goes on with what was observed before. */
  constructor(parts: Parts, agent: ObservedAgent) {
    this.#parts = parts;
    this.#agent = agent;
    const earlier = parts.files.calls(agent.run);
    this.#count = earlier.length;
    this.#calls = earlier.filter(({ step, attempt }) => step === agent.path && attempt === agent.attempt);
  }

  /** Hears what the engine's stream tells. */
  take(event: Redacted<EngineEvent>): void {
    if (event.type === "tool_call") {
      const call = this.#callOf(event.id);
      call.stream = event;
      if (!this.#agent.expectsHooks) call.treeBefore = this.#treeFor(toolOf(event));
    }
    if (event.type === "tool_result") {
      const call = this.#callOf(event.id);
      call.result = event;
      if (!this.#agent.expectsHooks && call.stream) call.treeAfter = this.#treeFor(toolOf(call.stream));
      this.#closeIfOver(event.id, call);
    }
  }

  /** Hears what a hook tells; the engine waits meanwhile, so that nothing moves in the worktree. */
  async hear({ event, tool_use_id: id, fields, input }: AgentHook): Promise<void> {
    const isAfter = event === "PostToolUse" || event === "PostToolUseFailure";
    if (id === null || (event !== "PreToolUse" && !isAfter)) return;
    const call = this.#callOf(id);
    const sight = sightIn(fields, event === "PostToolUseFailure");
    if (isAfter ? call.after : call.before) call.isDoubled = true;
    if (!isAfter) {
      const becomes = input && shellCallOf(sight.tool, input as ToolCallEvent["input"])?.command;
      call.before = { ...sight, becomes };
      await (call.treeBefore ??= this.#treeFor({ tool: sight.tool, command: becomes ?? sight.command }));
      return;
    }
    call.after = sight;
    await (call.treeAfter ??= this.#treeFor(sight));
    this.#closeIfOver(id, call);
    await this.#writing;
  }

  /** All that was observed in this attempt, when the agent has ended. Throws what kept it from being written. */
  async end(): Promise<EvidenceCall[]> {
    for (const [id, call] of this.#open) this.#close(id, call);
    await this.#writing;
    return this.#calls;
  }

  /** So far, for an agent that hands in its result while it works. */
  async soFar(): Promise<EvidenceCall[]> {
    await this.#untilStreamCaughtUp();
    await this.#writing;
    return this.#calls;
  }

  /** Waits a little for the stream to tell of calls that hooks have told the end of. */
  #untilStreamCaughtUp(): Promise<void> {
    const hasStreamCaughtUp = (): boolean => [...this.#open.values()].every(({ after }) => after === undefined);
    if (hasStreamCaughtUp()) return Promise.resolve();
    return new Promise((resolve) => {
      const look = (): void => {
        if (hasStreamCaughtUp()) end();
      };
      const end = (): void => {
        callOff();
        this.#onClosed.delete(look);
        resolve();
      };
      const callOff = this.#parts.later(patienceMs, end);
      this.#onClosed.add(look);
    });
  }

  /** Keeps what was observed elsewhere. */
  async add(observation: Observation): Promise<EvidenceCall> {
    await this.#write(async () => observation);
    return this.#calls.at(-1)!;
  }

  #callOf(id: string): OpenCall {
    const known = this.#open.get(id);
    if (known) return known;
    const call: OpenCall = {};
    this.#open.set(id, call);
    return call;
  }

  /** Undefined where no gate asks for it. Never rejects. */
  async #treeFor(tool: ObservedTool): Promise<string | null> {
    if (!this.#parts.isAskedFor(tool)) return null;
    return (await this.#parts.worktree.tree()) ?? null;
  }

  #closeIfOver(id: string, call: OpenCall): void {
    const isHeard = call.after !== undefined || !this.#agent.expectsHooks || call.result?.failed === true;
    if (call.result && isHeard) this.#close(id, call);
  }

  #close(id: string, call: OpenCall): void {
    this.#open.delete(id);
    for (const look of this.#onClosed) look();
    // A fault comes to light where the writing is waited for.
    this.#write(() => this.#observation(id, call)).catch(() => undefined);
  }

  #write(observe: () => Promise<Observation>): Promise<void> {
    this.#writing = this.#writeAfter(this.#writing, observe);
    return this.#writing;
  }

  async #writeAfter(others: Promise<void>, observe: () => Promise<Observation>): Promise<void> {
    await others;
    const { run, session, path: step, attempt, engine } = this.#agent;
    const { files, worktree, redact, now } = this.#parts;
    const observed = await observe();
    this.#count += 1;
    const id = `${run}/${this.#count}`;
    const whose = { v: 1, type: "call", id, at: now(), run, session, step, attempt, engine } as const;
    const call = redact<EvidenceCall>({ ...whose, ...observed, head: worktree.head() ?? null });
    files.append(call);
    this.#calls.push(call);
  }

  async #observation(id: string, call: OpenCall): Promise<Observation> {
    const { expectsHooks } = this.#agent;
    const [before, after] = await Promise.all([call.treeBefore, call.treeAfter]);
    const { stream, result } = call;
    const sight = stream ? toolOf(stream) : (call.after ?? call.before ?? { tool: "unknown" });
    // What ran, where a rule of the policy put another command in its place.
    const command = call.before?.becomes ?? sight.command;
    const shell = stream && shellCallOf(stream.name, stream.input);
    const folder = call.before?.folder ?? shell?.folder;
    const named = stream ? readFiles(stream.name, stream.input) : [];
    const files = named.flatMap((file) => this.#parts.worktree.pathBelow(file, folder) ?? []);
    const ofStream = stream && result && { ...toolOf(stream), failed: result.failed };
    const problem = call.isDoubled
      ? "its hooks were called more than once: not all of them by the engine"
      : disagreement({ expectsHooks, stream: ofStream, before: call.before, after: call.after });
    const seenBy: Witness[] = [...(ofStream ? ["stream" as const] : []), ...(call.after ? ["hook" as const] : [])];
    const isOver = result !== undefined && !shell?.isBackground;
    return {
      tool: sight.tool,
      kind: toolKindOf(sight.tool),
      tool_use_id: id,
      ...(command !== undefined && { command }),
      ...(files.length > 0 && { files }),
      ...(folder !== undefined && { folder }),
      failed: result?.failed ?? true,
      exit: (isOver ? (result.exit_code ?? call.after?.exit) : undefined) ?? null,
      tree_before: before ?? null,
      tree: after ?? null,
      witnesses: seenBy,
      ...(problem !== undefined && { problem }),
      ...(result?.duration_ms !== undefined && { duration_ms: result.duration_ms }),
    };
  }
}

/** What is told of one call, beside whose it is. */
export type Observation = Omit<
  EvidenceCall,
  "v" | "type" | "id" | "at" | "head" | "run" | "session" | "step" | "attempt" | "engine"
>;

/** What is asked of a call, to see whether it counts for a gate. */
export type CountedCall = Pick<EvidenceCall, "id" | "engine"> & Observation;

function toolOf({ name, input }: ToolCallEvent): ObservedTool {
  return { tool: name, command: shellCallOf(name, input)?.command };
}

/** What a hook tells of a call. */
export function sightIn(fields: Record<string, unknown>, failed: boolean): HookSight {
  const textIn = (name: string): string | undefined => (typeof fields[name] === "string" ? fields[name] : undefined);
  const tool = textIn("tool_name") ?? "unknown";
  const command = shellCallOf(tool, (fields["tool_input"] ?? {}) as ToolCallEvent["input"])?.command;
  return { tool, command, failed, folder: textIn("cwd"), exit: exitInHook(fields, failed) };
}
