import type { AgentStep, MergeStep, ScriptStep } from "../contract/grimoire.ts";
import { gateWords, type Gate, type RenderedCommandGate, type RenderedGate } from "../contract/gate.ts";
import type { Json } from "../contract/json.ts";
import type { Shell } from "../contract/grimoire-values.ts";
import { withRequiredOutputs } from "../contract/required-outputs.ts";
import type { AgentInput, ScriptInput } from "../contract/step-input.ts";
import type { PinnedRun, RunSettings } from "../contract/pinned-run.ts";
import { pinnedAgent, agentOptions } from "../grimoire/agent/agent-options.ts";
import { renderCommand } from "../grimoire/render/command.ts";
import { renderInput, renderInputText } from "../grimoire/render/input.ts";
import { placeHoles } from "../grimoire/shell/place-holes.ts";
import { withReferences } from "../grimoire/shell/reference.ts";
import { isInline, parseSpell, type Spells } from "../grimoire/spell/spells.ts";
import type { ParseText } from "../grimoire/template/parse-once.ts";
import { TemplateError } from "../grimoire/template/template-error.ts";
import { memoize } from "../grimoire/text/memoize.ts";
import type { Data } from "../grimoire/template/unknown.ts";
import { shortScript } from "./proofs.ts";
import type { Values } from "./scope.ts";

export interface RenderedWork<Input> {
  input: Input;
  /** What a person should know of it, such as a value that stands in a script as it is. */
  warnings: string[];
}

/** A value as it stands in a text: a template of one action gives a value of any type. */
function textOfValue(value: Data): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** An agent is told what its step requires before it is refused for it. */
function withGates(prompt: string, gates: readonly RenderedGate[]): string {
  if (gates.length === 0) return prompt;
  const lines = gates.map(
    (gate) => `- ${gateWords(gate, gate.kind === "call" ? (gate.match ?? gate.tool) : shownCommand(gate))}`,
  );
  return `${prompt.trimEnd()}\n\nYour result counts only when this was seen, on the files as they are then:\n${lines.join("\n")}\n`;
}

function shownCommand(gate: RenderedCommandGate): string {
  const text = shortScript(gate);
  return text.includes("\n") ? "a check of its own" : text;
}

/** Scripts that differ by more than their values are many only where conditions or `raw` make them so. */
const maxScripts = 100;

/** Makes a step's work of its templates and the variables. Everything here throws a TemplateError when that cannot be. */
export class WorkRenderer {
  readonly #spells: Spells;
  #settings: RunSettings;
  readonly #agents: PinnedRun["agents"];
  readonly #parse: ParseText;
  readonly #place = memoize(placeHoles, (pieces) => JSON.stringify(pieces), maxScripts);

  constructor(spells: Spells, { settings, agents }: Pick<PinnedRun, "settings" | "agents">, parse: ParseText) {
    this.#spells = spells;
    this.#parse = parse;
    this.#settings = settings;
    this.#agents = agents;
  }

  /** As if the run had been started with it. */
  useEngine(name: string): void {
    this.#settings = { ...this.#settings, engine: name, engine_by_flag: true };
  }

  /** A step's own variables lie over the others. */
  #withInput(input: Record<string, Json>, scope: Values): Values {
    const inputs = Object.entries(input);
    if (inputs.length === 0) return scope;
    const values = Object.assign(Object.create(null) as Values, scope);
    const texts = { parse: this.#parse, include: this.#spells.include };
    for (const [name, source] of inputs) {
      values[name] = renderInput(source, (text) => renderInputText(text, scope, texts)) as Json;
    }
    return values;
  }

  agent(step: AgentStep, scope: Values): RenderedWork<AgentInput> {
    const spell = isInline(step.spell)
      ? parseSpell({ origin: "inline", file: "", text: step.spell })
      : this.#spells.find(step.spell);
    if (!spell) throw new TemplateError("", 1, 1, `there is no spell ${step.spell}`);
    const { agent } = step;
    const chosen = agentOptions(step, pinnedAgent(this.#agents, agent), this.#settings);
    const values = this.#withInput(step.input, scope);
    const { gates: requires, warnings } = this.#gates(step.requires ?? [], values);
    const { outputs = [] } = step;
    const prompt = withGates(withRequiredOutputs(this.#spells.render(spell, values).text, outputs), requires);
    const options = { ...(agent && { agent }), ...chosen, ...(step.detach && { detach: true as const }) };
    const required = { ...(requires.length > 0 && { requires }), ...(outputs.length > 0 && { outputs }) };
    return {
      input: { kind: "agent", prompt, ...options, ...required },
      warnings,
    };
  }

  #gates(gates: Gate[], values: Values): { gates: RenderedGate[]; warnings: string[] } {
    const warnings: string[] = [];
    const rendered = gates.map((gate): RenderedGate => {
      if (gate.kind === "command") {
        const { command, shell, ...rest } = gate;
        const { input, warnings: more } = this.#command(command, shell, values);
        warnings.push(...more);
        return { ...rest, shell, script: input.script, values: input.values };
      }
      if (gate.match === undefined) return gate;
      const texts = { parse: this.#parse, include: this.#spells.include };
      return { ...gate, match: textOfValue(renderInputText(gate.match, values, texts)) };
    });
    return { gates: rendered, warnings };
  }

  script({ command, shell, input: stepInput, detach }: ScriptStep, scope: Values): RenderedWork<ScriptInput> {
    const { input, warnings } = this.#command(command, shell, this.#withInput(stepInput, scope));
    return { input: detach ? { ...input, detach: true } : input, warnings };
  }

  /** The command that a merge is verified with. */
  verify({ verify = "", shell = "sh" }: MergeStep, scope: Values): RenderedWork<ScriptInput> {
    return this.#command(verify, shell, scope);
  }

  #command(command: string, shell: Shell, data: Data): RenderedWork<ScriptInput> {
    const { include } = this.#spells;
    const { script, holes, problems } = renderCommand(command, this.#parse(command), data, {
      include,
      place: this.#place,
    });
    const error = problems.find(({ severity }) => severity === "error");
    if (error) throw new TemplateError("", error.line, error.column, `${error.message}; ${error.hint}`);
    const nameOf = (hole: number): string => `clew_value_${hole + 1}`;
    return {
      input: {
        kind: "script",
        shell,
        script: withReferences(script, nameOf),
        values: Object.fromEntries(holes.map(({ text }, hole) => [nameOf(hole), text])),
      },
      warnings: problems.map(({ message }) => message),
    };
  }
}
