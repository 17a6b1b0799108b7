import type {
  AgentFacts,
  CompactionTrigger,
  GivenLine,
  Rehydration,
  RehydrationCause,
  RehydrationLine,
} from "../../contract/rehydration.ts";
import type { RedactValue } from "../../contract/redacted.ts";
import { rehydrate } from "../../session/rehydrate/rehydrate.ts";
import { factsOf, type FactsParts } from "./facts.ts";
import { withoutReceipt, type RehydrationLog, type ToolCaller } from "./ports.ts";

export interface RehydrationsParts extends FactsParts {
  log: RehydrationLog;
  redact: RedactValue;
  newId: () => string;
  now: () => number;
  /** Adds a remark to a session; it is on disk when this resolves. */
  remark: (session: string, text: string) => Promise<void>;
}

/** To whom something is told, and why. */
export interface Recipient {
  /** The session whose agent it is. */
  session: string;
  cause: RehydrationCause;
  engine: string;
  engineSession: string | undefined;
  /** Whether the session's record tells of it: one that is made of what hooks tell has it from there. */
  isRecorded?: boolean;
}

export interface Compaction extends Pick<Recipient, "engine" | "engineSession"> {
  trigger: CompactionTrigger | undefined;
}

/** What shows it where an agent calls nothing. */
export const wordsAsReceipt = "message";

/** What showed that an agent knows where it stands. */
export interface ReceiptProof {
  /** The tool that it called, or what else it did. */
  by: string;
  /** The step whose continue token came with the call. */
  step?: string;
}

/** Tells agents where they stand, and keeps what was told and whether it came to be known. */
export class Rehydrations {
  readonly #parts: RehydrationsParts;

  constructor(parts: RehydrationsParts) {
    this.#parts = parts;
  }

  /** Where the agent of a session stands. Changes nothing. */
  async show(session: string, budget?: number): Promise<Rehydration> {
    return this.#rehydrate(await factsOf(this.#parts, session), budget);
  }

  /** The same for an agent that is told now: this is on disk, and in the session's record, when it resolves. */
  async give({ session, cause, engine, engineSession, isRecorded = true }: Recipient): Promise<Rehydration> {
    const told = await this.show(session);
    const { log, redact, newId, remark } = this.#parts;
    const owner = told.run?.id ?? session;
    const trigger = cause === "compacted" ? triggerOf(log.lines(owner), engineSession) : undefined;
    const line: GivenLine = {
      type: "given",
      v: 1,
      id: newId(),
      at: this.#at(),
      cause,
      ...(trigger && { trigger }),
      owner,
      session_id: session,
      step: told.run?.step ?? null,
      engine,
      engine_session: engineSession ?? null,
      tokens: told.tokens,
    };
    log.add(owner, redact(line));
    if (isRecorded) await remark(session, givenText(line));
    return told;
  }

  /**
   * Takes the receipt of all that was given and has none. With a step, only of what was given for that step. On disk when this
   * resolves; false when there was nothing to take.
   */
  async receive(owner: string, { by, step }: ReceiptProof): Promise<boolean> {
    const { log, redact, remark } = this.#parts;
    const open = withoutReceipt(log.lines(owner)).filter((line) => step === undefined || line.step === step);
    for (const line of open) {
      const receipt = {
        type: "receipt" as const,
        v: 1 as const,
        id: line.id,
        at: this.#at(),
        by,
        token: step !== undefined,
      };
      log.add(owner, redact(receipt));
      if (line.session_id !== null) await remark(line.session_id, receiptText(line, receipt));
    }
    return open.length > 0;
  }

  /** The context of a session's agent is about to be compacted. */
  compacting(owner: string, { engine, engineSession, trigger }: Compaction): void {
    const { log, redact } = this.#parts;
    const line = {
      type: "compacting" as const,
      v: 1 as const,
      at: this.#at(),
      ...(trigger && { trigger }),
      engine,
      engine_session: engineSession ?? null,
    };
    log.add(owner, redact(line));
  }

  /**
   * Why the agent that asks for a run knows nothing of it: it is of another engine or engine session than the one before, or it is the
   * first that asks this process. Undefined when it knows.
   */
  causeOf(run: string, caller: ToolCaller | undefined, isServed: boolean): RehydrationCause | undefined {
    const before = this.#parts.log.lines(run).findLast((line) => line.type === "caller");
    if (caller && before && before.engine !== caller.engine) return "other engine";
    const isOther = before?.engine_session !== undefined && before.engine_session !== caller?.engine_session;
    return isOther || !isServed ? "resumed" : undefined;
  }

  /** An engine session works on a run: its hooks are told of that run. */
  called(run: string, caller: ToolCaller): void {
    const { log, redact } = this.#parts;
    log.add(run, redact({ type: "caller" as const, v: 1 as const, at: this.#at(), ...caller }));
  }

  #rehydrate({ token, ...facts }: AgentFacts, budget: number | undefined): Rehydration {
    // A token is no secret for its agent, and must reach it; all else may be a person's text.
    return rehydrate({ ...this.#parts.redact(facts), ...(token !== undefined && { token }) }, budget);
  }

  #at(): string {
    return new Date(this.#parts.now()).toISOString();
  }
}

/** Who asked for the compaction that an engine session announced last. */
function triggerOf(
  lines: readonly RehydrationLine[],
  engineSession: string | undefined,
): CompactionTrigger | undefined {
  const last = lines.findLast((line) => "engine_session" in line && line.engine_session === engineSession);
  return last?.type === "compacting" ? last.trigger : undefined;
}

const causeWords: Record<RehydrationCause, string> = {
  compacted: "after a compaction",
  resumed: "after its engine session was resumed",
  "cut off": "after it was cut off",
  "other engine": "after another engine",
};

function givenText({ cause, trigger, engine, engine_session: session, step, tokens }: GivenLine): string {
  const by = trigger === undefined ? "" : trigger === "auto" ? ", by itself" : ", as a person asked";
  const who = session === null ? engine : `${engine} (${session})`;
  const what = step === null ? "where it stands" : `where it stands in ${step}`;
  return `${who} was told again ${what}, ${causeWords[cause]}${by}: ${tokens} tokens.`;
}

function receiptText({ at, step }: GivenLine, { by, token }: { by: string; token: boolean }): string {
  const ownProof = by === wordsAsReceipt ? "the agent spoke" : `the agent's next call was ${by}`;
  const proof = token ? `${by} carried the continue token of ${step}` : ownProof;
  return `Receipt for what was told at ${at}: ${proof}.`;
}
