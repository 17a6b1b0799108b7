import { allSteps, type LoopStep, type MergeStep, type ScriptStep, type Step } from "../contract/grimoire.ts";
import type { MissingEvidence } from "../contract/evidence-values.ts";
import type { PinnedRun } from "../contract/pinned-run.ts";
import type { AnsweredPermission } from "../contract/permission.ts";
import type { Outcome, StepAddress, StepResult, TimedScope } from "../contract/run.ts";
import type { ScriptInput } from "../contract/step-input.ts";
import { decideWhen } from "../grimoire/render/when.ts";
import { Spells } from "../grimoire/spell/spells.ts";
import { parseOnce } from "../grimoire/template/parse-once.ts";
import { TemplateError } from "../grimoire/template/template-error.ts";
import type { DurablePort } from "./durable-port.ts";
import type { Halt } from "./halts.ts";
import { offerAndLand, recallProof } from "./merge-step.ts";
import { asProof, isSameCommand, Proofs } from "./proofs.ts";
import { WorkRenderer, type RenderedWork } from "./render-work.ts";
import type { Values } from "./scope.ts";

/** A step that does something itself. */
export type WorkStep = Exclude<Step, LoopStep>;

/** What is around an attempt, and what the one before came to. */
interface AttemptsBefore {
  timed: TimedScope[];
  lastFailure: StepResult | undefined;
  /** The permission that a person has given or refused since. */
  answered: AnsweredPermission | undefined;
  /** The limit at which it was stopped, and which was raised since. */
  stoppedAt: StepResult["limit"];
}

/** One attempt at a step: decides whether it runs, renders its work and lets the port do it. */
export class StepAttempts {
  readonly #port: DurablePort;
  readonly #pinned: PinnedRun;
  readonly #spells: Spells;
  readonly #parse = parseOnce();
  readonly #renderer: WorkRenderer;
  readonly #proofs = new Proofs();
  /** Merges with a `verify`: a step that runs the same command proves as much. */
  readonly #verifiedMerges: MergeStep[];

  constructor(pinned: PinnedRun, port: DurablePort) {
    const { spells, grimoire } = pinned;
    this.#port = port;
    this.#pinned = pinned;
    this.#spells = new Spells({
      spell: (name) => (Object.hasOwn(spells, name) ? spells[name] : undefined),
      spellNames: () => Object.keys(spells),
    });
    this.#renderer = new WorkRenderer(this.#spells, pinned, this.#parse);
    this.#verifiedMerges = [...allSteps(grimoire.steps)].filter(
      (step): step is MergeStep => step.type === "merge" && step.verify !== undefined,
    );
  }

  /** What works on agent steps from here on, whatever they name. */
  useEngine(name: string): void {
    this.#renderer.useEngine(name);
  }

  /** What became of it, or why it cannot be tried. `variables` are those that the step sees. */
  async try(
    step: WorkStep,
    address: StepAddress,
    variables: Values,
    { timed, lastFailure, answered, stoppedAt }: AttemptsBefore,
  ): Promise<Outcome | Halt> {
    const recalled = this.#port.recall(address);
    if (recalled) {
      if (step.type === "script")
        this.#recordProof(recalled, address, () => this.#renderer.script(step, variables).input);
      if (step.type === "agent") this.#recordEvidence(recalled, address);
      if (step.type === "merge")
        recallProof(this.#port, address, this.#proofs, () => this.#renderer.verify(step, variables).input);
      return recalled;
    }
    const decision = this.decide(step, variables);
    if (typeof decision !== "boolean") return decision;
    if (!decision) {
      await this.#port.record({ kind: "skipped", ...address });
      return { kind: "skipped" };
    }
    const work = { ...address, timeout_ms: this.#limitOf(step), within: timed };
    try {
      if (step.type === "merge") {
        return await offerAndLand(this.#port, step, {
          work,
          lastFailure,
          renderVerify: () => this.#renderer.verify(step, variables),
          verifyTimeoutMs: step.timeout_ms ?? this.#pinned.settings.timeouts_ms.script,
          proofs: this.#proofs,
        });
      }
      if (step.type === "agent") {
        const { input, warnings } = this.#renderer.agent(step, variables);
        const before = { ...(answered && { answered }), ...(stoppedAt && { stopped_at: stoppedAt }) };
        if (lastFailure?.missing) input.prompt = `${input.prompt.trimEnd()}\n\n${refusedWords(lastFailure.missing)}\n`;
        const outcome = await this.#port.perform({ ...work, input: { ...input, ...before }, warnings });
        this.#recordEvidence(outcome, address);
        return outcome;
      }
      const rendered = this.#renderScript(step, variables);
      const outcome = await this.#port.perform({ ...work, ...rendered });
      this.#recordProof(outcome, address, () => rendered.input);
      return outcome;
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      return { status: "blocked", reason: "cannot_render", message: `cannot be rendered: ${messageWithPlace(error)}` };
    }
  }

  /** A command that a merge would verify with, by what is known now, tells on which tree it ran. */
  #renderScript(step: ScriptStep, variables: Values): RenderedWork<ScriptInput> {
    const { input, warnings } = this.#renderer.script(step, variables);
    const isVerify = (merge: MergeStep): boolean => {
      try {
        return isSameCommand(input, this.#renderer.verify(merge, variables).input);
      } catch (error) {
        if (error instanceof TemplateError) return false;
        throw error;
      }
    };
    return { input: this.#verifiedMerges.some(isVerify) ? { ...input, records_tree: true } : input, warnings };
  }

  #recordEvidence(outcome: Outcome, address: StepAddress): void {
    if (outcome.kind === "done") this.#proofs.addEvidence(address, outcome.result.evidence ?? []);
  }

  #recordProof(outcome: Outcome, address: StepAddress, commandOf: () => ScriptInput): void {
    if (outcome.kind !== "done") return;
    const { success, tree } = outcome.result;
    if (!success || tree === undefined) return;
    const command = commandOf();
    this.#proofs.add(tree, command, asProof("step", address, command, outcome.result));
  }

  /** A condition that gives no boolean fails the run: text such as "false" must never count as true. */
  decide({ when }: Step, variables: Values): boolean | Halt {
    if (when === undefined) return true;
    try {
      return decideWhen(when, variables, { parse: this.#parse, include: this.#spells.include }) === true;
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      return { status: "failed", reason: "bad_condition", message: messageWithPlace(error) };
    }
  }

  #limitOf(step: WorkStep): number {
    if (step.type === "merge") return this.runLimitMs;
    return step.timeout_ms ?? this.#pinned.settings.timeouts_ms[step.type];
  }

  get runLimitMs(): number {
    const { grimoire, settings } = this.#pinned;
    return grimoire.timeout_ms ?? settings.timeouts_ms.run;
  }
}

/** What the next attempt hears of the one before. */
function refusedWords(missing: readonly MissingEvidence[]): string {
  const lines = missing.map(({ message, fix }) => `- ${message}\n  ${fix}`);
  return `An attempt at this was made before, and its result did not count:\n${lines.join("\n")}`;
}

function messageWithPlace({ template, line, column, message }: TemplateError): string {
  return template === "" ? message : `${template}:${line}:${column}: ${message}`;
}
