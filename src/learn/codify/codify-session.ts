import type { Bead } from "../../contract/bead.ts";
import type { Gate } from "../../contract/gate.ts";
import { templateName, type AgentStep, type MergeStep, type ScriptStep, type Step } from "../../contract/grimoire.ts";
import { grimoireLimits } from "../../contract/grimoire-schema.ts";
import type { SessionDocument } from "../../contract/session.ts";
import { asLine } from "./as-line.ts";
import { BeadLiterals } from "./bead-literals.ts";
import type { Codified } from "./codified.ts";
import { dataFlow, type Flow } from "./data-flow.ts";
import { draftSteps, type AgentDraft, type DraftStep, type MergeDraft, type ScriptDraft } from "./draft-steps.ts";
import { foldPhases } from "./fold-phases.ts";
import { landWork } from "./land-work.ts";
import { OwnRoots, type OwnFolders } from "./own-roots.ts";
import { isWork, phaseWork, type PhaseWork, type SessionSoFar } from "./phase-work.ts";
import { spellText, type Inheritance } from "./spell-text.ts";
import { nameOf, StepNames } from "./step-names.ts";
import { standingPhases } from "./undone-turns.ts";
import { WorkingFolder } from "./working-folder.ts";

export interface CodifyOptions {
  /** Paths below them are named from there. */
  folders: OwnFolders;
  /** The bead that the session worked on. */
  bead?: Bead | undefined;
  /** Writes any script in ASCII letters. */
  toAscii: (text: string) => string;
}

/** More steps are no workflow that a person would read. */
const mostSteps = 100;
const mostGates = 10;
/** A loop may take as often as it took, and this at least. */
const leastIterations = 5;

/** A session as a grimoire: its phases become steps. Undefined when there is nothing to do again. */
export function codifySession(document: SessionDocument, options: CodifyOptions): Codified | undefined {
  const roots = new OwnRoots(options.folders);
  const soFar: SessionSoFar = { questions: new Map(), folder: new WorkingFolder(roots) };
  const notes: string[] = [];
  const isOfTurns = document.frontmatter.kind === "turns";
  const standing = isOfTurns ? standingPhases(document.phases, (text) => notes.push(text)) : document.phases;
  const phases = foldPhases(standing.map((phase) => phaseWork(phase, roots, soFar)).filter(isWork));
  if (phases.length === 0) return undefined;
  const all = draftSteps(phases, (text) => notes.push(text));
  const kept = firstSteps(all);
  const [count, keptCount] = [countSteps(all), countSteps(kept)];
  if (keptCount < count) notes.push(`only the first ${keptCount} of ${count} steps are here`);
  const drafts = landWork(kept, (text) => notes.push(text));
  const { title } = document.frontmatter;
  const writer = new StepWriter(drafts, options, notes);
  return {
    grimoire: {
      name: nameOf(title, options.toAscii, "workflow"),
      description: `Codified from the session: ${asLine(title, 200)}`,
      steps: drafts.flatMap((draft) => writer.steps(draft)),
    },
    channels: writer.channels,
    notes,
  };
}

/** Those that have room, each whole: a loop counts with what is in it. Of a first one without room, the first fixes. */
function firstSteps(drafts: readonly DraftStep[]): DraftStep[] {
  let count = 0;
  const end = drafts.findIndex((draft) => (count += countSteps([draft])) > mostSteps);
  const [first] = drafts;
  if (end === 0 && first?.type === "loop") return [{ ...first, fixes: first.fixes.slice(0, mostSteps - 2) }];
  return drafts.slice(0, end < 0 ? drafts.length : end);
}

function countSteps(drafts: readonly DraftStep[]): number {
  return drafts.reduce((sum, draft) => sum + (draft.type === "loop" ? 2 + draft.fixes.length : 1), 0);
}

type WorkDraft = AgentDraft | ScriptDraft;

/** Gives drafts their names, and writes them as steps. */
class StepWriter {
  readonly channels = new Map<string, string>();
  readonly #literals: BeadLiterals;
  readonly #names = new Map<DraftStep, string>();
  readonly #flows: Flow[];
  readonly #works: WorkDraft[];
  readonly #notes: string[];
  readonly #stepNames: StepNames;

  constructor(drafts: readonly DraftStep[], { bead, toAscii }: CodifyOptions, notes: string[]) {
    this.#literals = new BeadLiterals(bead);
    this.#notes = notes;
    this.#stepNames = new StepNames(toAscii);
    this.#works = drafts.flatMap((draft) =>
      draft.type === "loop" ? [draft.test, ...draft.fixes] : draft.type === "merge" ? [] : [draft],
    );
    this.#flows = dataFlow(this.#works.map(({ work }) => work));
  }

  steps(draft: DraftStep): Step[] {
    switch (draft.type) {
      case "agent":
        return [this.#agent(draft)];
      case "script":
        return [this.#script(draft)];
      case "merge":
        return [this.#merge(draft)];
      case "loop": {
        const name = this.#nameOf(draft);
        const test = this.#script(draft.test);
        const fixes = draft.fixes.map((fix) => this.#agent(fix));
        const { iterations } = grimoireLimits;
        if (draft.rounds > iterations)
          this.#notes.push(`${name}: it took ${draft.rounds} rounds; a loop has ${iterations} at most`);
        return [
          {
            name,
            type: "loop",
            max_iterations: Math.min(iterations, Math.max(leastIterations, draft.rounds)),
            on_max_iterations: "block",
            steps: [
              { ...test, on_fail: "continue", on_success: "exit_loop" },
              ...fixes.map((fix) => ({
                ...fix,
                spell: `${fix.spell}\nThe tests said:\n{{.${templateName(test.name)}.output}}\n`,
              })),
            ],
          },
        ];
      }
    }
  }

  #agent(draft: AgentDraft): AgentStep {
    const name = this.#nameOf(draft, draft.work[0]);
    const agent = draft.work[0]?.agent;
    const requires = this.#gates(draft);
    return {
      name,
      type: "agent",
      spell: spellText(draft, this.#inheritance(draft), this.#literals),
      ...(agent !== undefined && { agent }),
      ...(requires.length > 0 && { requires }),
      input: {},
      on_fail: "block",
    };
  }

  #gates({ title, gates }: AgentDraft): Gate[] {
    const plain = gates.filter(({ words, lacksSecret }) => words && !lacksSecret);
    for (const { text, whyNot, lacksSecret } of gates.filter((gate) => !plain.includes(gate))) {
      const why = lacksSecret ? "lacks a secret" : whyNot!;
      this.#notes.push(`${title}: no gate was made of a command that ${why}: ${asLine(text, 200)}`);
    }
    if (plain.length > mostGates)
      this.#notes.push(`${title}: only the first ${mostGates} of ${plain.length} gates are here`);
    return plain.slice(0, mostGates).map(({ words }) => ({
      kind: "command",
      command: this.#literals.inCommand(words!),
      shell: "sh",
      expect: 0,
    }));
  }

  #script(draft: ScriptDraft): ScriptStep {
    const name = this.#nameOf(draft, draft.work[0]);
    return {
      name,
      type: "script",
      command: this.#scriptText(draft.commands),
      shell: "sh",
      input: {},
      on_fail: "block",
    };
  }

  #merge(draft: MergeDraft): MergeStep {
    const verify = draft.verify && { verify: this.#scriptText(draft.verify), shell: "sh" as const };
    return { name: this.#nameOf(draft), type: "merge", require_review: true, strategy: "merge", ...verify };
  }

  #scriptText(commands: readonly string[][]): string {
    const lines = commands.map((words) => this.#literals.inCommand(words));
    return lines.length === 1 ? lines[0]! : `set -e\n${lines.join("\n")}\n`;
  }

  #nameOf(draft: DraftStep, work?: PhaseWork): string {
    const name = this.#stepNames.name(draft.title);
    this.#names.set(draft, name);
    if (work?.channel !== undefined) this.channels.set(name, work.channel);
    return name;
  }

  /** What flows into a step, by the step that it comes from. Only those before it have a name yet. */
  #inheritance(draft: WorkDraft): Inheritance[] {
    const to = this.#works.indexOf(draft);
    const byStep = new Map<WorkDraft, string[]>();
    for (const flow of this.#flows) {
      if (flow.to !== to) continue;
      const from = this.#works[flow.from]!;
      byStep.set(from, [...(byStep.get(from) ?? []), flow.what]);
    }
    return [...byStep].flatMap(([from, what]) => {
      const step = this.#names.get(from);
      if (step === undefined || from === draft) return [];
      return [{ step, variable: `.${templateName(step)}.${from.type === "script" ? "output" : "summary"}`, what }];
    });
  }
}
