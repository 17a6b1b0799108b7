import type { Bead } from "../../contract/bead.ts";
import {
  defaultTimeoutsMs,
  type AgentStep,
  type Grimoire,
  type Json,
  type LoopStep,
  type ScriptStep,
  type Step,
} from "../../contract/grimoire.ts";
import type { PreviewStep } from "../../contract/preview.ts";
import { withLiterals } from "../shell/literal.ts";
import { renderCommand, type RenderedCommand } from "../render/command.ts";
import { renderInput, renderInputText } from "../render/input.ts";
import { decideWhen } from "../render/when.ts";
import { parseSpell, type Spell, type Spells } from "../spell/spells.ts";
import { parseTemplate, type Template } from "../template/parse.ts";
import { references, type Reference } from "../template/references.ts";
import { Unknown, type Data } from "../template/unknown.ts";
import { checkReferences, type Surrounding } from "./check-references.ts";
import type { Findings, StepFindings } from "./findings.ts";
import { allSteps, makeScope, namesOf, resultOf, variablesOf, type Scope } from "./scope.ts";
import { shown } from "./shown.ts";

type Path = (string | number)[];

/** One list of steps, and where it stands. */
interface Sequence {
  steps: Step[];
  path: Path;
  /** Names of the loops around it. */
  within: string[];
  /** What `.previous` is at its first step. */
  previous: Data;
}

interface Subject {
  grimoire: Grimoire;
  /** Undefined when only the grimoire is checked. */
  bead: Bead | undefined;
  variables: Record<string, Json>;
  spells: Spells;
  findings: Findings;
}

/** Goes through the steps as a run would, with placeholders for what only exists then. Nothing is executed. */
export function previewSteps(subject: Subject): PreviewStep[] {
  const scope = makeScope(subject.bead, subject.variables);
  const sequence: Sequence = { steps: subject.grimoire.steps, path: ["steps"], within: [], previous: undefined };
  return new Walk(subject, scope).sequence(sequence);
}

class Walk {
  readonly #subject: Subject;
  /** One flat scope, as in a run: steps set their names in it as they are passed. */
  readonly #scope: Scope;
  readonly #references = new Map<Template, Reference[]>();
  readonly #steps: Step[];
  readonly #stepNames: Set<string>;

  constructor(subject: Subject, scope: Scope) {
    this.#subject = subject;
    this.#scope = scope;
    this.#steps = [...allSteps(subject.grimoire.steps)];
    this.#stepNames = new Set(this.#steps.flatMap(namesOf));
  }

  sequence({ steps, path, within, previous }: Sequence): PreviewStep[] {
    this.#set("previous", previous);
    return steps.map((step, at) => {
      const findings = this.#subject.findings.of([...path, at], [...within, step.name]);
      const when = step.when === undefined ? undefined : this.#when(step.when, findings);
      const shownStep: PreviewStep = {
        path: findings.step,
        name: step.name,
        type: step.type,
        ...(when && { when }),
        sets: variablesOf(step).map(([name]) => name),
        ...this.#details(step, [...path, at], [...within, step.name], findings),
      };
      this.#pass(step, when ? (when.value ?? null) : true);
      return shownStep;
    });
  }

  /** What a step leaves in the scope. `runs` is null when only the run can tell. */
  #pass(step: Step, runs: boolean | null): void {
    if (runs === false) return;
    for (const [name, value] of variablesOf(step)) this.#set(name, value);
    this.#set("previous", runs ? resultOf(step.name, step) : resultOf("previous"));
  }

  #set(name: string, value: Data): void {
    if (value === undefined) delete this.#scope[name];
    else this.#scope[name] = value;
  }

  #when(source: boolean | string, findings: StepFindings): PreviewStep["when"] {
    const value = findings.catching(["when"], () => {
      if (typeof source === "string") this.#check(source, this.#scope, findings, ["when"]);
      return decideWhen(source, this.#scope, this.#subject.spells.include);
    });
    if (value === undefined) return { source };
    return { source, value: typeof value === "boolean" ? value : null };
  }

  #details(step: Step, path: Path, within: string[], findings: StepFindings): Partial<PreviewStep> {
    switch (step.type) {
      case "agent":
        return this.#agent(step, findings);
      case "script":
        return this.#script(step, findings);
      case "loop":
        return this.#loop(step, path, within);
      case "merge":
        return { require_review: step.require_review };
    }
  }

  #agent(step: AgentStep, findings: StepFindings): Partial<PreviewStep> {
    const { input, scope } = this.#input(step, findings);
    const spell = this.#spell(step.spell, findings);
    const { agent, engine, model } = step;
    const named = { ...(agent && { agent }), ...(engine && { engine }), ...(model && { model }) };
    if (!spell) return { ...work(step), ...named, input };
    const rendered = findings.catching(["spell"], () =>
      this.#subject.spells.render(spell, scope, { onUse: (used, data) => this.#checkUse(used, data, findings) }),
    );
    return {
      ...work(step),
      ...named,
      input,
      spell: {
        name: isInline(step.spell) ? null : step.spell,
        origin: spell.origin,
        file: spell.file,
        partials: rendered?.partials ?? [],
      },
      ...(rendered && { prompt: rendered.text }),
    };
  }

  #spell(source: string, findings: StepFindings): Spell | undefined {
    return findings.catching(["spell"], () => {
      if (isInline(source)) return parseSpell({ origin: "inline", file: findings.file, text: source });
      const { spells } = this.#subject;
      const found = spells.named(source);
      if (found) return found;
      const meant = spells.suggestion(source);
      findings.add(["spell"], {
        severity: "error",
        message: `there is no spell ${source}`,
        hint:
          meant === undefined ? `write it as .clew/spells/${source}.md, or in place with |` : `did you mean ${meant}?`,
      });
      return undefined;
    });
  }

  #script(step: ScriptStep, findings: StepFindings): Partial<PreviewStep> {
    const { input, scope } = this.#input(step, findings);
    const { include } = this.#subject.spells;
    const command = findings.catching(["command"], () => {
      const template = this.#check(step.command, scope, findings, ["command"]);
      const render = (branches: "both" | "first" | "second"): RenderedCommand =>
        renderCommand(step.command, template, scope, { branches, include });
      const readable = render("both");
      // What can run is what one way or the other gives; both together are for reading only.
      const ways = readable.undecided ? [render("first"), render("second")] : [readable];
      for (const { problems } of ways) findings.addAt(["command"], problems);
      const { script, holes } = readable.problems.some(({ severity }) => severity === "error") ? ways[0]! : readable;
      return withLiterals(script, (hole) => holes[hole]!.text);
    });
    return { ...work(step), input, shell: step.shell, ...(command !== undefined && { command }) };
  }

  #loop(step: LoopStep, path: Path, within: string[]): Partial<PreviewStep> {
    const outer = { previous: this.#scope["previous"], entry: this.#scope["loop_entry"], at: this.#scope["iteration"] };
    this.#set("loop_entry", outer.previous ?? {});
    this.#set("iteration", new Unknown("iteration", "int"));
    // From the second iteration on, the steps of the one before have set their names.
    const names = step.steps.flatMap(variablesOf).filter(([name]) => !(name in this.#scope));
    for (const [name, value] of names) this.#set(name, value);
    const steps = this.sequence({
      steps: step.steps,
      path: [...path, "steps"],
      within,
      previous: resultOf("previous"),
    });
    this.#set("previous", outer.previous);
    this.#set("loop_entry", outer.entry);
    this.#set("iteration", outer.at);
    const { max_iterations, on_max_iterations, timeout_ms } = step;
    return { max_iterations, on_max_iterations, ...(timeout_ms !== undefined && { timeout_ms }), steps };
  }

  /** A step's own variables, shown and laid over the scope. */
  #input(
    step: AgentStep | ScriptStep,
    findings: StepFindings,
  ): { input: NonNullable<PreviewStep["input"]>; scope: Scope } {
    const scope = Object.assign(Object.create(null) as Scope, this.#scope);
    const input = Object.entries(step.input).map(([name, source]) => {
      const value = renderInput(source, (text, at) =>
        findings.catching(["input", name, ...at], () => {
          this.#check(text, this.#scope, findings, ["input", name, ...at]);
          return renderInputText(text, this.#scope, this.#subject.spells.include);
        }),
      );
      scope[name] = value;
      return { name, source, value: shown(value) };
    });
    return { input, scope };
  }

  #check(text: string, scope: Scope, findings: StepFindings, key: Path) {
    const template = parseTemplate("", text);
    findings.addAt(key, checkReferences(references(template), this.#around(scope)));
    return template;
  }

  /** A partial that got other data than the scope says itself what it needs. */
  #checkUse(used: Spell, data: Data, findings: StepFindings): void {
    if (typeof data !== "object" || data === null || !("bead" in data)) return;
    const problems = checkReferences(this.#referencesOf(used), this.#around(data));
    findings.addAt(["spell"], problems, used.file);
  }

  #around(scope: Scope): Surrounding {
    return { scope, bead: this.#subject.bead, steps: this.#steps, stepNames: this.#stepNames };
  }

  /** Partials are used over and over. */
  #referencesOf({ template }: Spell): Reference[] {
    let found = this.#references.get(template);
    if (!found) this.#references.set(template, (found = references(template)));
    return found;
  }
}

/** A spell is inline when it has lines. */
function isInline(spell: string): boolean {
  return spell.includes("\n");
}

function work(step: AgentStep | ScriptStep): Partial<PreviewStep> {
  const { type, timeout_ms = defaultTimeoutsMs[type], on_fail, on_success } = step;
  return { timeout_ms, on_fail, ...(on_success && { on_success }) };
}
