import type { Bead } from "../../contract/bead.ts";
import { gateText, gateWords, type Gate } from "../../contract/gate.ts";
import { defaultMergeStrategy } from "../../contract/grimoire-values.ts";
import {
  defaultTimeoutsMs,
  type AgentStep,
  type Grimoire,
  type Json,
  type LoopStep,
  type MergeStep,
  type ScriptStep,
  type Step,
} from "../../contract/grimoire.ts";
import type { PreviewStep } from "../../contract/preview.ts";
import { nearest } from "../../text/nearest.ts";
import { didYouMean } from "../definition/words.ts";
import { withLiterals } from "../shell/literal.ts";
import { placeHoles } from "../shell/place-holes.ts";
import { renderCommand, type RenderedCommand } from "../render/command.ts";
import { renderInput, renderInputText } from "../render/input.ts";
import { decideWhen } from "../render/when.ts";
import { isInline, parseSpell, type Spell, type Spells } from "../spell/spells.ts";
import type { Branches, Include } from "../template/execute.ts";
import { parseOnce, type ParseText } from "../template/parse-once.ts";
import type { Template } from "../template/parse.ts";
import { findReferences, type Reference } from "../template/references.ts";
import { Unknown, type Data } from "../template/unknown.ts";
import { checkReferences, grimoireFacts, type GrimoireFacts, type ReferenceContext } from "./check-references.ts";
import type { Findings, StepFindings } from "./findings.ts";
import { unreachableSteps } from "./unreachable-steps.ts";
import { makeScope, variablesOf, type PreviewScope } from "./scope.ts";
import { memoize } from "../text/memoize.ts";
import { previewAgent, type AgentSurroundings } from "./preview-agent.ts";
import { executionFields, previewValue } from "./preview-fields.ts";
import { Variables } from "./variables.ts";

type Path = (string | number)[];

type PreviewInput = NonNullable<PreviewStep["input"]>;

interface Subject extends AgentSurroundings {
  grimoire: Grimoire;
  /** Undefined when only the grimoire is checked. */
  bead: Bead | undefined;
  variables: Record<string, Json>;
  spells: Spells;
  findings: Findings;
  /** Some steps could not be read, so that it is not known which variables are set. */
  isDraft?: boolean;
}

/** Goes through the steps as a run would, with placeholders for what only exists then. Nothing is executed. */
export function previewSteps(subject: Subject): PreviewStep[] {
  const walk = new Walk(subject);
  const steps = walk.sequence(subject.grimoire.steps, ["steps"], []);
  walk.checkVariables();
  return steps;
}

class Walk {
  readonly #subject: Subject;
  readonly #variables: Variables;
  /** Names that some template asked for. */
  readonly #usedNames = new Set<string>();
  readonly #references = new Map<Template, Reference[]>();
  readonly #checkedUses = new Set<string>();
  /** Memoized because grimoires repeat their scripts, for example through YAML anchors. */
  readonly #place = memoize(placeHoles, (pieces) => JSON.stringify(pieces));
  /** How texts of the grimoire are parsed and what they may include. */
  readonly #renderOptions: { parse: ParseText; include: Include };
  readonly #facts: GrimoireFacts;

  constructor(subject: Subject) {
    this.#subject = subject;
    const { grimoire, bead, variables, spells } = subject;
    this.#renderOptions = { parse: parseOnce(), include: spells.include };
    const scope = makeScope(bead, variables);
    const unreachable = unreachableSteps(grimoire.steps, scope, this.#renderOptions.parse);
    this.#variables = new Variables(scope, unreachable);
    this.#facts = grimoireFacts(grimoire, bead, unreachable);
  }

  get #scope(): PreviewScope {
    return this.#variables.scope;
  }

  /** The steps of one list. `path` leads to it; `loopNames` are those of the loops around it. */
  sequence(steps: Step[], path: Path, loopNames: string[]): PreviewStep[] {
    return steps.map((step, at) => {
      const findings = this.#subject.findings.of([...path, at], [...loopNames, step.name]);
      const when = step.when === undefined ? undefined : this.#when(step.when, findings);
      const runs = when ? (when.value ?? null) : true;
      const previewStep: PreviewStep = {
        path: findings.step,
        name: step.name,
        type: step.type,
        ...(when && { when }),
        sets: this.#facts.unreachable.has(step) || runs === false ? [] : variablesOf(step).map(([name]) => name),
        ...this.#details(step, runs, findings),
      };
      this.#variables.pass(step, runs);
      return previewStep;
    });
  }

  /** Variables of the caller that no template asks for are most likely misspelt. */
  checkVariables(): void {
    const { variables, findings, isDraft } = this.#subject;
    if (isDraft) return;
    for (const name of Object.keys(variables)) {
      if (this.#usedNames.has(name)) continue;
      const hint = didYouMean(nearest(name, [...this.#usedNames]));
      findings.add({ severity: "warning", message: `nothing asks for --var ${name}`, ...(hint && { hint }) });
    }
  }

  #when(source: boolean | string, findings: StepFindings): PreviewStep["when"] {
    const value = findings.catching(["when"], () => {
      if (typeof source === "string") this.#check(source, findings, ["when"], this.#variables.absences);
      return decideWhen(source, this.#scope, this.#renderOptions);
    });
    if (value === undefined) return { source };
    return { source, value: typeof value === "boolean" ? value : null };
  }

  #details(step: Step, runs: boolean | null, findings: StepFindings): Partial<PreviewStep> {
    switch (step.type) {
      case "agent":
        return this.#agent(step, findings);
      case "script":
        return this.#script(step, findings);
      case "loop":
        return this.#loop(step, runs, findings);
      case "merge":
        return this.#merge(step, findings);
    }
  }

  #agent(step: AgentStep, findings: StepFindings): Partial<PreviewStep> {
    const settings = { ...executionFields(step), ...previewAgent(step, this.#subject, findings) };
    return this.#withInput(step, findings, (input) => {
      const spell = this.#spell(step.spell, findings);
      if (!spell) return { ...settings, input };
      const { origin, file } = spell;
      const onUse = (part: Spell, data: Data): void => this.#checkUse(part, data, findings);
      const rendered = findings.catching(["spell"], () => this.#subject.spells.render(spell, this.#scope, onUse));
      const name = isInline(step.spell) ? null : step.spell;
      const requires = this.#gates(step.requires ?? [], findings);
      return {
        ...settings,
        input,
        ...(requires.length > 0 && { requires }),
        ...(step.outputs && { outputs: step.outputs }),
        spell: { name, origin, file, partials: rendered?.partials ?? [] },
        ...(rendered && { prompt: rendered.text }),
      };
    });
  }

  /** What must be shown before the agent's result counts, in words. */
  #gates(gates: Gate[], findings: StepFindings): string[] {
    return gates.flatMap((gate, index) => {
      const key = ["requires", index, gate.kind === "command" ? "command" : "match"];
      const text = findings.catching(key, () => {
        if (gate.kind === "command") return this.#command(gate.command, findings, key);
        this.#check(gateText(gate), findings, key);
        const value = previewValue(renderInputText(gateText(gate), this.#scope, this.#renderOptions));
        return typeof value === "string" ? value : JSON.stringify(value);
      });
      return text === undefined ? [] : [gateWords(gate, text)];
    });
  }

  #spell(source: string, findings: StepFindings): Spell | undefined {
    return findings.catching(["spell"], () => {
      if (isInline(source)) return parseSpell({ origin: "inline", file: findings.file, text: source });
      const { spells } = this.#subject;
      const spell = spells.find(source);
      if (spell) return spell;
      const advice = `write it as .clew/spells/${source}.md, or in place with |`;
      const hint = didYouMean(spells.suggestion(source)) ?? advice;
      findings.add(["spell"], { severity: "error", message: `there is no spell ${source}`, hint });
      return undefined;
    });
  }

  #merge(step: MergeStep, findings: StepFindings): Partial<PreviewStep> {
    const { require_review, strategy = defaultMergeStrategy, verify, shell = "sh", on_changes, on_success } = step;
    const terms = { require_review, strategy, ...(on_changes && { on_changes }), ...(on_success && { on_success }) };
    if (verify === undefined) return terms;
    const command = findings.catching(["verify"], () => this.#command(verify, findings, ["verify"]));
    const timeout_ms = step.timeout_ms ?? defaultTimeoutsMs.script;
    return { ...terms, shell, timeout_ms, ...(command !== undefined && { verify: command }) };
  }

  #script(step: ScriptStep, findings: StepFindings): Partial<PreviewStep> {
    return this.#withInput(step, findings, (input) => {
      const command = findings.catching(["command"], () => this.#command(step.command, findings, ["command"]));
      return { ...executionFields(step), input, shell: step.shell, ...(command !== undefined && { command }) };
    });
  }

  /** `key` is where the text stands in the step. */
  #command(text: string, findings: StepFindings, key: Path): string {
    const template = this.#check(text, findings, key);
    const { include } = this.#renderOptions;
    const render = (branches: Branches): RenderedCommand =>
      renderCommand(text, template, this.#scope, { branches, include, place: this.#place });
    const readable = render("both");
    // A run takes one branch or the other; both together are only for the reader.
    const variants = readable.isUndecided ? [render("first"), render("second")] : [readable];
    for (const { problems } of variants) findings.addAt(key, problems);
    const { script, holes } = readable.problems.some(({ severity }) => severity === "error") ? variants[0]! : readable;
    return withLiterals(script, (hole) => holes[hole]!.text);
  }

  #loop(step: LoopStep, runs: boolean | null, { path, names }: StepFindings): Partial<PreviewStep> {
    const entry = this.#scope["previous"] ?? {};
    const leave = this.#variables.enter(step);
    this.#variables.set("loop_entry", entry);
    this.#variables.set("iteration", new Unknown("iteration", "int"));
    const steps = this.sequence(step.steps, [...path, "steps"], names);
    leave(runs);
    const { max_iterations, on_max_iterations, timeout_ms } = step;
    return { max_iterations, on_max_iterations, ...(timeout_ms !== undefined && { timeout_ms }), steps };
  }

  /** Calls `render` with a step's inputs in the scope, and restores the scope. */
  #withInput<T>(step: AgentStep | ScriptStep, findings: StepFindings, render: (input: PreviewInput) => T): T {
    const inputs = Object.entries(step.input).map(([name, source]) => {
      const value = renderInput(source, (text, at) =>
        findings.catching(["input", name, ...at], () => {
          this.#check(text, findings, ["input", name, ...at]);
          return renderInputText(text, this.#scope, this.#renderOptions);
        }),
      );
      return { name, source, value };
    });
    const outerValues = inputs.map(({ name }) => [name, this.#scope[name]] as const);
    for (const { name, value } of inputs) this.#variables.set(name, value ?? null);
    const result = render(inputs.map(({ name, source, value }) => ({ name, source, value: previewValue(value) })));
    for (const [name, value] of outerValues) this.#variables.set(name, value);
    return result;
  }

  #check(text: string, findings: StepFindings, key: Path, absences?: ReferenceContext["absences"]): Template {
    const template = this.#renderOptions.parse(text);
    this.#checkNames(template, this.#scope, absences, findings, key);
    return template;
  }

  /** Checks the names of a spell or partial against the data that it gets, unless that is no scope. */
  #checkUse(spell: Spell, data: Data, findings: StepFindings): void {
    if (typeof data !== "object" || data === null || !("bead" in data)) return;
    // The same partial with the same names gives the same problems. The scope's own names are the same for a step.
    const names = data === this.#scope ? "" : Object.keys(data).join(" ");
    const use = `${findings.step} ${spell.file} ${names}`;
    if (this.#checkedUses.has(use)) return;
    this.#checkedUses.add(use);
    this.#checkNames(spell.template, data, undefined, findings, ["spell"], spell.file);
  }

  #checkNames(
    template: Template,
    scope: PreviewScope,
    absences: ReferenceContext["absences"],
    findings: StepFindings,
    key: Path,
    file?: string,
  ): void {
    const references = this.#referencesOf(template);
    for (const { path } of references) if (path[0] !== undefined) this.#usedNames.add(path[0]);
    const { findings: all, isDraft } = this.#subject;
    if (isDraft || all.isFull) return;
    const context: ReferenceContext = { facts: this.#facts, scope, step: findings.names.at(-1)!, absences };
    findings.addAt(key, checkReferences(references, context), file);
  }

  /** Partials and scripts are used over and over. */
  #referencesOf(template: Template): Reference[] {
    let cached = this.#references.get(template);
    if (!cached) this.#references.set(template, (cached = findReferences(template)));
    return cached;
  }
}
