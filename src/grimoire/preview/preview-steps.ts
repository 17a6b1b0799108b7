import type { Bead } from "../../contract/bead.ts";
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
import { references, type Reference } from "../template/references.ts";
import { Unknown, type Data } from "../template/unknown.ts";
import { checkReferences, referenceScope, type ReferenceScope, type Surrounding } from "./check-references.ts";
import type { Findings, StepFindings } from "./findings.ts";
import { neverRuns } from "./never-runs.ts";
import { makeScope, variablesOf, type Scope } from "./scope.ts";
import { onceForEach } from "../text/once-for-each.ts";
import { previewValue } from "./preview-value.ts";
import { Variables } from "./variables.ts";

type Path = (string | number)[];

/** One list of steps, and where it stands. */
interface Sequence {
  steps: Step[];
  path: Path;
  /** Names of the loops around it. */
  within: string[];
}

type ShownInput = NonNullable<PreviewStep["input"]>;

interface Subject {
  grimoire: Grimoire;
  /** Undefined when only the grimoire is checked. */
  bead: Bead | undefined;
  variables: Record<string, Json>;
  spells: Spells;
  findings: Findings;
  /** Some steps could not be read, so that nobody can say what is set and what is not. */
  isDraft?: boolean;
}

/** Goes through the steps as a run would, with placeholders for what only exists then. Nothing is executed. */
export function previewSteps(subject: Subject): PreviewStep[] {
  const walk = new Walk(subject);
  const steps = walk.sequence({ steps: subject.grimoire.steps, path: ["steps"], within: [] });
  walk.checkVariables();
  return steps;
}

class Walk {
  readonly #subject: Subject;
  readonly #variables: Variables;
  /** Names that some template asked for. */
  readonly #used = new Set<string>();
  readonly #references = new Map<Template, Reference[]>();
  readonly #checkedUses = new Set<string>();
  /** Grimoires repeat their scripts, through anchors of YAML for one. */
  readonly #place = onceForEach(placeHoles, (pieces) => JSON.stringify(pieces));
  /** What texts of the grimoire are rendered with. */
  readonly #texts: { parse: ParseText; include: Include };
  readonly #known: ReferenceScope;

  constructor(subject: Subject) {
    this.#subject = subject;
    const { grimoire, bead, variables, spells } = subject;
    this.#texts = { parse: parseOnce(), include: spells.include };
    const scope = makeScope(bead, variables);
    const never = neverRuns(grimoire.steps, scope, this.#texts.parse);
    this.#variables = new Variables(scope, never);
    this.#known = referenceScope(grimoire, bead, never);
  }

  get #scope(): Scope {
    return this.#variables.scope;
  }

  sequence({ steps, path, within }: Sequence): PreviewStep[] {
    return steps.map((step, at) => {
      const findings = this.#subject.findings.of([...path, at], [...within, step.name]);
      const when = step.when === undefined ? undefined : this.#when(step.when, findings);
      const runs = when ? (when.value ?? null) : true;
      const shownStep: PreviewStep = {
        path: findings.step,
        name: step.name,
        type: step.type,
        ...(when && { when }),
        sets: this.#known.never.has(step) || runs === false ? [] : variablesOf(step).map(([name]) => name),
        ...this.#details(step, runs, findings, { path: [...path, at], within: [...within, step.name] }),
      };
      this.#variables.pass(step, runs);
      return shownStep;
    });
  }

  /** Variables that were given and that no template asks for are most likely misspelt. */
  checkVariables(): void {
    const { variables, findings, isDraft } = this.#subject;
    if (isDraft) return;
    for (const name of Object.keys(variables)) {
      if (this.#used.has(name)) continue;
      const hint = didYouMean(nearest(name, [...this.#used]));
      findings.add({ severity: "warning", message: `nothing asks for --var ${name}`, ...(hint && { hint }) });
    }
  }

  #when(source: boolean | string, findings: StepFindings): PreviewStep["when"] {
    const value = findings.catching(["when"], () => {
      if (typeof source === "string") this.#check(source, this.#scope, findings, ["when"], this.#variables.absences);
      return decideWhen(source, this.#scope, this.#texts);
    });
    if (value === undefined) return { source };
    return { source, value: typeof value === "boolean" ? value : null };
  }

  #details(
    step: Step,
    runs: boolean | null,
    findings: StepFindings,
    place: Pick<Sequence, "path" | "within">,
  ): Partial<PreviewStep> {
    switch (step.type) {
      case "agent":
        return this.#agent(step, findings);
      case "script":
        return this.#script(step, findings);
      case "loop":
        return this.#loop(step, runs, place);
      case "merge":
        return this.#merge(step, findings);
    }
  }

  #agent(step: AgentStep, findings: StepFindings): Partial<PreviewStep> {
    const { agent, engine, model } = step;
    for (const [key, text] of Object.entries({ agent, engine, model })) {
      if (!text?.includes("{{")) continue;
      findings.add([key], { severity: "error", message: `${key} takes no template`, hint: "write the name itself" });
    }
    const named = { ...work(step), ...(agent && { agent }), ...(engine && { engine }), ...(model && { model }) };
    return this.#withInput(step, findings, (input) => {
      const spell = this.#spell(step.spell, findings);
      if (!spell) return { ...named, input };
      const { origin, file } = spell;
      const onUse = (part: Spell, data: Data): void => this.#checkUse(part, data, findings);
      const rendered = findings.catching(["spell"], () => this.#subject.spells.render(spell, this.#scope, onUse));
      const name = isInline(step.spell) ? null : step.spell;
      return {
        ...named,
        input,
        spell: { name, origin, file, partials: rendered?.partials ?? [] },
        ...(rendered && { prompt: rendered.text }),
      };
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
    const { require_review, strategy = "merge", verify, shell = "sh", on_changes, on_success } = step;
    const terms = { require_review, strategy, ...(on_changes && { on_changes }), ...(on_success && { on_success }) };
    if (verify === undefined) return terms;
    const command = findings.catching(["verify"], () => this.#command(verify, findings, "verify"));
    const timeout_ms = step.timeout_ms ?? defaultTimeoutsMs.script;
    return { ...terms, shell, timeout_ms, ...(command !== undefined && { verify: command }) };
  }

  #script(step: ScriptStep, findings: StepFindings): Partial<PreviewStep> {
    return this.#withInput(step, findings, (input) => {
      const command = findings.catching(["command"], () => this.#command(step.command, findings, "command"));
      return { ...work(step), input, shell: step.shell, ...(command !== undefined && { command }) };
    });
  }

  /** `key` is where the text stands in the step. */
  #command(text: string, findings: StepFindings, key: "command" | "verify"): string {
    const template = this.#check(text, this.#scope, findings, [key]);
    const { include } = this.#texts;
    const render = (branches: Branches): RenderedCommand =>
      renderCommand(text, template, this.#scope, { branches, include, place: this.#place });
    const readable = render("both");
    // What can run is what one way or the other gives; both together are for reading only.
    const ways = readable.undecided ? [render("first"), render("second")] : [readable];
    for (const { problems } of ways) findings.addAt([key], problems);
    const { script, holes } = readable.problems.some(({ severity }) => severity === "error") ? ways[0]! : readable;
    return withLiterals(script, (hole) => holes[hole]!.text);
  }

  #loop(
    step: LoopStep,
    runs: boolean | null,
    { path, within }: Pick<Sequence, "path" | "within">,
  ): Partial<PreviewStep> {
    const entry = this.#scope["previous"] ?? {};
    const leave = this.#variables.enter(step);
    this.#variables.set("loop_entry", entry);
    this.#variables.set("iteration", new Unknown("iteration", "int"));
    const steps = this.sequence({ steps: step.steps, path: [...path, "steps"], within });
    leave(runs);
    const { max_iterations, on_max_iterations, timeout_ms } = step;
    return { max_iterations, on_max_iterations, ...(timeout_ms !== undefined && { timeout_ms }), steps };
  }

  /** Does the work with a step's own variables laid over the scope, and takes them away again. */
  #withInput<T>(step: AgentStep | ScriptStep, findings: StepFindings, render: (input: ShownInput) => T): T {
    const own = Object.entries(step.input).map(([name, source]) => {
      const value = renderInput(source, (text, at) =>
        findings.catching(["input", name, ...at], () => {
          this.#check(text, this.#scope, findings, ["input", name, ...at]);
          return renderInputText(text, this.#scope, this.#texts);
        }),
      );
      return { name, source, value };
    });
    const hidden = own.map(({ name }) => [name, this.#scope[name]] as const);
    for (const { name, value } of own) this.#variables.set(name, value ?? null);
    const result = render(own.map(({ name, source, value }) => ({ name, source, value: previewValue(value) })));
    for (const [name, value] of hidden) this.#variables.set(name, value);
    return result;
  }

  #check(text: string, scope: Scope, findings: StepFindings, key: Path, absences?: Surrounding["absences"]): Template {
    const template = this.#texts.parse(text);
    this.#checkNames(this.#referencesOf(template), scope, findings, { key, ...(absences && { absences }) });
    return template;
  }

  /** A partial that got other data than the scope says itself what it needs. */
  #checkUse(used: Spell, data: Data, findings: StepFindings): void {
    if (typeof data !== "object" || data === null || !("bead" in data)) return;
    // A partial that is used again with the same names has nothing new to tell. The scope has as many as there are steps.
    const names = data === this.#scope ? "" : Object.keys(data).join(" ");
    const use = `${findings.step} ${used.file} ${names}`;
    if (this.#checkedUses.has(use)) return;
    this.#checkedUses.add(use);
    this.#checkNames(this.#referencesOf(used.template), data, findings, { key: ["spell"], file: used.file });
  }

  #checkNames(
    found: Reference[],
    scope: Scope,
    findings: StepFindings,
    { key, file, absences }: { key: Path; file?: string; absences?: Surrounding["absences"] },
  ): void {
    for (const { path } of found) if (path[0] !== undefined) this.#used.add(path[0]);
    const { findings: all, isDraft } = this.#subject;
    if (isDraft || all.isFull) return;
    const surrounding: Surrounding = {
      known: this.#known,
      scope,
      step: findings.step.split("/").at(-1)!,
      ...(absences && { absences }),
    };
    findings.addAt(key, checkReferences(found, surrounding), file);
  }

  /** Partials and scripts are used over and over. */
  #referencesOf(template: Template): Reference[] {
    let found = this.#references.get(template);
    if (!found) this.#references.set(template, (found = references(template)));
    return found;
  }
}

function work(step: AgentStep | ScriptStep): Partial<PreviewStep> {
  const { type, timeout_ms = defaultTimeoutsMs[type], on_fail, on_success, detach } = step;
  return { timeout_ms, on_fail, ...(on_success && { on_success }), ...(detach && { detach }) };
}
