import { templateName, type AgentStep, type LoopStep, type ScriptStep, type Step } from "../../contract/grimoire.ts";
import { templatesOf } from "../spell/pin-spells.ts";
import { isAction, operand } from "./conditions.ts";
import type { ConversionLoss } from "./conversion-loss.ts";

export type WorkStep = AgentStep | ScriptStep;

/** The steps that can be nodes, in order and without gates. Those of a loop run once, under the loop's condition, up to the one that leaves it. */
export function flattenLoops(steps: readonly Step[], losses: ConversionLoss[]): WorkStep[] {
  const flattener = new Flattener(losses);
  flattener.sequence(steps, undefined, []);
  return flattener.steps;
}

class Flattener {
  readonly steps: WorkStep[] = [];
  readonly #losses: ConversionLoss[];
  /** Whether `.previous` means what it meant in the grimoire. */
  #isSamePrevious = true;

  constructor(losses: ConversionLoss[]) {
    this.#losses = losses;
  }

  /** `around` are the conditions of the loops around these steps. */
  sequence(steps: readonly Step[], loop: LoopStep | undefined, around: readonly Condition[]): void {
    let conditions = around;
    for (const step of steps) {
      this.#tellPrevious(step);
      if (step.type === "loop") this.#loop(step, conditions);
      else if (step.type === "merge") {
        const message = "merges exist in the grimoire form only: the step is left out";
        this.#losses.push({ step: step.name, message });
        this.#isSamePrevious = false;
      } else {
        const added = this.#add(step, loop, conditions);
        if (loop && step.on_success) conditions = [...conditions, staysInLoop(added)];
      }
    }
  }

  #loop(loop: LoopStep, around: readonly Condition[]): void {
    const { name, when, output, timeout_ms, steps } = loop;
    const lost = ["max_iterations", "on_max_iterations"];
    if (output !== undefined) lost.push("output");
    if (timeout_ms !== undefined) lost.push("timeout");
    const message = `loops exist in the grimoire form only: its steps stand there to run once, without ${lost.join(", ")}`;
    this.#losses.push({ step: name, message });
    const own = when === undefined || when === true ? [] : [this.#named(when)];
    this.#isSamePrevious = false;
    this.sequence(steps, loop, [...around, ...own]);
    this.#isSamePrevious = false;
  }

  #add(step: WorkStep, loop: LoopStep | undefined, conditions: readonly Condition[]): WorkStep {
    const { when: ownWhen, on_success: _, ...rest } = withoutGates(step);
    if (step.type === "agent" && step.requires && step.requires.length > 0) {
      const message = "gates exist in the grimoire form only: requires is left out";
      this.#losses.push({ step: step.name, message });
    }
    const own = ownWhen !== undefined && loop ? this.#named(ownWhen) : ownWhen;
    const when = this.#allOf(step, own === undefined ? conditions : [...conditions, own]);
    const added = { ...rest, ...(when !== undefined && { when }) };
    this.steps.push(added);
    if (ownWhen === undefined) this.#isSamePrevious = true;
    return added;
  }

  #allOf({ name }: WorkStep, conditions: readonly Condition[]): Condition | undefined {
    if (conditions.includes(false)) return false;
    const terms = [...new Set(conditions.filter((each) => typeof each === "string"))];
    const [first, ...others] = terms;
    if (first === undefined) return conditions[0];
    if (others.length === 0) return first;
    if (terms.every((each) => isAction(each.trim())))
      return `{{and ${terms.map((each) => operand(each.trim())).join(" ")}}}`;
    this.#losses.push({ step: name, message: "its condition and those of the loops around it: it never runs" });
    return false;
  }

  /** The step before that always runs is better known by its name: the condition then also holds elsewhere. */
  #named(when: Condition): Condition {
    const previous = this.steps.at(-1);
    const [, outcome] = /^\{\{\.previous\.(success|failed)\}\}$/.exec(String(when)) ?? [];
    if (outcome === undefined || !this.#isSamePrevious || !previous || previous.when !== undefined) return when;
    return `{{.${templateName(previous.name)}.${outcome}}}`;
  }

  #tellPrevious(step: Step): void {
    const texts = step.type === "loop" ? [String(step.when)] : step.type === "merge" ? [] : [...templatesOf(step)];
    if (this.#isSamePrevious || !texts.some((text) => /\.previous\b/.test(text))) return;
    this.#losses.push({ step: step.name, message: ".previous is another step there" });
  }
}

type Condition = boolean | string;

function withoutGates(step: WorkStep): WorkStep {
  if (step.type === "script") return step;
  const { requires: _, ...rest } = step;
  return rest;
}

/** What holds for the steps behind one that leaves the loop when it succeeds. */
function staysInLoop(step: WorkStep): Condition {
  const name = templateName(step.name);
  return step.when === undefined ? `{{.${name}.failed}}` : `{{not (default false .${name}.success)}}`;
}
