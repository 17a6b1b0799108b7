import { asLine } from "./as-line.ts";
import { isApproved, onlyRuns, type Approval, type PhaseWork, type RanCommand } from "./phase-work.ts";

/** A step before it has a name: what of a session it comes from. */
export type DraftStep = AgentDraft | ScriptDraft | LoopDraft | MergeDraft;

export interface AgentDraft {
  type: "agent";
  title: string;
  /** The phases that it stands for: one, or the same of several rounds. */
  work: PhaseWork[];
  /** Commands that failed before, and passed in the end. */
  gates: RanCommand[];
}

export interface ScriptDraft {
  type: "script";
  title: string;
  work: PhaseWork[];
  commands: string[][];
}

/** Tests, and what mends them, as often as it took. */
export interface LoopDraft {
  type: "loop";
  title: string;
  test: ScriptDraft;
  fixes: AgentDraft[];
  rounds: number;
}

export interface MergeDraft {
  type: "merge";
  title: string;
  /** What must pass on the merged tree. */
  verify?: string[][];
}

/** Phases in their order become steps; `note` hears what could not be told. */
export function draftSteps(phases: readonly PhaseWork[], note: (text: string) => void): DraftStep[] {
  const steps: DraftStep[] = [];
  /** Commands that failed, and have not passed since. */
  const broken = new Map<string, RanCommand>();
  for (let at = 0; at < phases.length;) {
    const loop = loopAt(phases, at, broken);
    const end = loop?.end ?? at + 1;
    steps.push(...(loop?.steps ?? stepsOf(phases[at]!, passedAgain(phases[at]!, broken))));
    for (const work of phases.slice(at, end)) {
      noteCommands(work, note);
      noteApprovals(work, note);
    }
    at = end;
  }
  for (const { text } of broken.values()) note(`failed, and was not seen to pass afterwards: ${text}`);
  return steps;
}

/** The commands of a phase that pass in it and failed before; those that fail are remembered. */
function passedAgain({ commands }: PhaseWork, broken: Map<string, RanCommand>): RanCommand[] {
  const passed = new Map<string, RanCommand>();
  for (const command of commands) {
    if (command.failed) {
      broken.set(command.key, command);
      passed.delete(command.key);
    } else if (broken.delete(command.key)) passed.set(command.key, command);
  }
  return [...passed.values()];
}

function stepsOf(work: PhaseWork, gates: RanCommand[]): DraftStep[] {
  const { title } = work;
  const merge = mergesOf(work);
  const commands = scriptOf(work);
  if (commands) return [{ type: "script", title, work: [work], commands }];
  return isOnlyApproval(work) ? merge : [{ type: "agent", title, work: [work], gates }, ...merge];
}

/** The last thing that was approved in a phase. */
function mergesOf(work: PhaseWork): MergeDraft[] {
  const approved = work.approvals.filter(isApproved).slice(-1);
  return approved.map((approval) => ({ type: "merge", title: mergeTitle(work, approval) }));
}

/** Whether there is nothing in a phase that an agent could do. */
function isOnlyApproval(work: PhaseWork): boolean {
  const { approvals, usedTools, commands, asked, delegated } = work;
  return approvals.some(isApproved) && !usedTools && commands.length + asked.length + delegated.length === 0;
}

function mergeTitle({ title, usedTools, commands }: PhaseWork, { question }: Approval): string {
  return usedTools || commands.length > 0 ? question : title;
}

/** The commands of a phase that nothing but plain commands make up, all of which passed in the end. */
function scriptOf(work: PhaseWork): string[][] | undefined {
  if (!onlyRuns(work)) return undefined;
  const last = new Map<string, RanCommand>();
  for (const command of work.commands) last.set(command.key, command);
  const commands = [...last.values()];
  return commands.every(({ failed, words }) => !failed && words) ? commands.map(({ words }) => words!) : undefined;
}

/** So many phases may stand between two runs of the same tests. */
const mostFixes = 6;

/**
 * A phase that tests and fails, phases that mend, the same tests again: until they pass, or the session ends. What was approved
 * between the tests is merged behind the loop.
 */
function loopAt(
  phases: readonly PhaseWork[],
  start: number,
  broken: Map<string, RanCommand>,
): { steps: DraftStep[]; end: number } | undefined {
  const first = testOf(phases[start]!);
  if (!first?.failed) return undefined;
  let rounds = 1;
  let last = start;
  let passed = false;
  while (!passed) {
    const next = phases.slice(last + 1, last + 2 + mostFixes).findIndex((phase) => testOf(phase)?.key === first.key);
    if (next < 1) break;
    last += next + 1;
    rounds++;
    passed = !testOf(phases[last]!)!.failed;
  }
  const all = phases.slice(start, last + 1);
  const tests = all.filter((phase) => testOf(phase)?.key === first.key);
  const between = all.filter((phase) => !tests.includes(phase));
  if (between.every(isOnlyApproval)) return undefined;
  const fixes = new Map<string, AgentDraft>();
  for (const work of all) {
    const gates = passedAgain(work, broken).filter(({ key }) => key !== first.key);
    if (!tests.includes(work) && !isOnlyApproval(work)) addFix(fixes, work, gates);
  }
  for (const fix of fixes.values()) fix.gates = fix.gates.filter(({ key }) => !broken.has(key));
  const { title } = tests[0]!;
  const commands = scriptOf(tests.at(-1)!) ?? [first.words!];
  const test: ScriptDraft = { type: "script", title, work: tests, commands };
  const loop: LoopDraft = { type: "loop", title: `${title} loop`, test, fixes: [...fixes.values()], rounds };
  return { steps: [loop, ...between.flatMap(mergesOf).slice(-1)], end: last + 1 };
}

/** The command that a phase ends with when it does nothing but run commands, and that one is plain and whole. */
function testOf(work: PhaseWork): RanCommand | undefined {
  const last = work.commands.at(-1);
  return last?.words && !last.lacksSecret && onlyRuns(work) ? last : undefined;
}

/** The same phase of another round is the same step. */
function addFix(fixes: Map<string, AgentDraft>, work: PhaseWork, gates: RanCommand[]): void {
  const key = `${sameTitle(work.title)} @${work.agent ?? ""}`;
  const known = fixes.get(key);
  if (!known) {
    fixes.set(key, { type: "agent", title: work.title, work: [work], gates });
    return;
  }
  known.work.push(work);
  known.gates.push(...gates.filter((gate) => known.gates.every((other) => other.key !== gate.key)));
}

/** A title without what counts rounds: `Fix 2`, `Fix (attempt 3)`, `fix-loop[2]/fix`, `Fix again`. */
export function sameTitle(title: string): string {
  return title
    .toLowerCase()
    .replace(/\[\d{1,6}\]/g, "")
    .replace(/\((?:attempt|round|try) \d{1,6}\)$/, "")
    .trimEnd()
    .replace(/(?: again| #?\d{1,6})$/, "")
    .trimEnd();
}

/** So many commands are named in a note. */
const mostNamed = 3;

/** Of commands that no step runs by itself: the spell of their phase has them, in words. */
function noteCommands({ title, commands }: PhaseWork, note: (text: string) => void): void {
  const told = new Map(commands.flatMap((command) => (command.whyNot === undefined ? [] : [[command.told, command]])));
  if (told.size === 0) return;
  const named = [...told.values()].slice(0, mostNamed).map(({ text, whyNot }) => `${asLine(text, 80)} ${whyNot}`);
  const others = told.size > mostNamed ? [`${told.size - mostNamed} more`] : [];
  note(`${title}: no script was made of commands that were run: ${[...named, ...others].join("; ")}`);
}

function noteApprovals({ title, approvals }: PhaseWork, note: (text: string) => void): void {
  for (const approval of approvals) {
    if (approval.answer === undefined) note(`${title}: no answer was given: ${approval.question}`);
    else if (!isApproved(approval)) note(`${title}: no step was made of what was not approved: ${approval.question}`);
  }
}
