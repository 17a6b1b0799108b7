import { shellWord } from "../../text/shell-word.ts";
import { beadStatusOf, type Bead } from "../../contract/bead.ts";
import { connectedEngine } from "../../contract/connected.ts";
import { ClewError } from "../../contract/errors.ts";
import { refuseUnstartable, type EngineStarts } from "../engine/engine-starts.ts";
import { allSteps, type AgentStep, type Grimoire, type Json } from "../../contract/grimoire.ts";
import type { RunRequest } from "../../contract/api/grimoire.ts";
import type { PinnedRun, RunSettings } from "../../contract/pinned-run.ts";
import { nearest } from "../../text/nearest.ts";
import { pinnedAgent, agentOptions } from "../../grimoire/agent/agent-options.ts";
import type { Refusal } from "../../contract/preview.ts";
import { holdsSecret } from "../../redact/redact-value.ts";
import type { Redact } from "../../contract/redacted.ts";

/** A run that is asked for. A preview may know less than a run: the file may be one that cannot be read. */
export interface Candidate extends Pick<RunRequest, "variables" | "anyway" | "target"> {
  bead: Bead;
  grimoire: Grimoire | undefined;
  /** Those whose files its steps name. */
  agents: PinnedRun["agents"];
  /** The grimoire that was named, as it was named. */
  grimoireName?: string | undefined;
  /** What the run would be pinned to. */
  settings: RunSettings;
}

/** What the rules ask of everything around. Nothing here starts a process or writes a file. */
export interface StartRules {
  engines: EngineStarts;
  redact: Redact;
  /** The branch to work from, and what it stands at. Throws when there is none. */
  branch: (target: string | undefined) => { base: string; target: string };
  /** Ids of the unfinished beads that this one waits for. */
  openDependencies: (bead: Bead) => string[];
  /** Throws when something else stands where the bead's worktree would. */
  refuseForeignPlace: (beadId: string) => void;
  /** Throws when steps would have nowhere to put their files. */
  refuseTempFolder: () => void;
  /** Throws when beads cannot be written. */
  refuseUnwritable: () => Promise<void>;
}

/** Throws the first reason for which a run cannot begin. */
export async function refuseStart(candidate: Candidate, rules: StartRules): Promise<void> {
  for (const check of checksOf(candidate, rules)) await check();
}

/** All of these reasons, for a preview. */
export async function startRefusals(candidate: Candidate, rules: StartRules): Promise<Refusal[]> {
  const refusals: Refusal[] = [];
  for (const check of checksOf(candidate, rules)) {
    try {
      await check();
    } catch (error) {
      if (!(error instanceof ClewError)) throw error;
      const { code, message, hint } = error;
      refusals.push({ code, message, hint });
    }
  }
  return refusals;
}

type Check = () => void | Promise<void>;

/** The one place that says what is looked at before a run begins, and in which order. */
function* checksOf(candidate: Candidate, rules: StartRules): Generator<Check> {
  const { bead, grimoire, variables, target } = candidate;
  yield () => refuseClosed(bead);
  yield () => refuseWaiting(candidate, rules);
  yield () => void rules.branch(target);
  for (const name of new Set(agentSteps(candidate).map(([, engine]) => engine)))
    yield () => refuseEngine(name, candidate, rules);
  yield () => refuseOddId(bead, rules);
  if (grimoire) yield* secretChecks(grimoire, rules);
  for (const { role: _, ...agent } of Object.values(candidate.agents ?? {}))
    yield () => {
      if (holdsSecret(agent, rules.redact)) throw secretIn("invalid_grimoire", agent.file);
    };
  for (const each of Object.entries(variables))
    yield () => refuseSecrets(Object.fromEntries([each]), "--var", rules.redact);
  yield () => rules.refuseForeignPlace(bead.id);
  yield rules.refuseTempFolder;
  yield rules.refuseUnwritable;
}

export function refuseClosed(bead: Bead): void {
  if (beadStatusOf(bead) !== "closed") return;
  const why = typeof bead["close_reason"] === "string" ? `: ${bead["close_reason"]}` : "";
  throw new ClewError(
    "not_possible_now",
    `bead ${bead.id} is closed${why}`,
    `clew bead update ${bead.id} --status open opens it again`,
  );
}

/** Only dependencies count: a bead that is named may be deferred or blocked by its status. */
function refuseWaiting({ bead, anyway = false }: Candidate, { openDependencies }: StartRules): void {
  const open = anyway ? [] : openDependencies(bead);
  if (open.length === 0) return;
  throw new ClewError(
    "not_possible_now",
    `bead ${bead.id} waits for ${open.join(", ")}, which ${open.length === 1 ? "is" : "are"} not closed`,
    `clew bead dep tree ${bead.id} shows why; clew run ${bead.id} --anyway runs it all the same`,
  );
}

function refuseEngine(name: string, candidate: Candidate, rules: StartRules): void {
  const { names: engines } = rules.engines;
  // Whether its agent is there shows when the step waits for it.
  if (name === connectedEngine) return;
  if (engines.includes(name)) return refuseUnstartable(rules.engines, name, candidate.settings);
  const suggestion = nearest(name, [...engines]);
  const meant = suggestion === undefined ? "" : `did you mean ${suggestion}? `;
  const firstEngine = suggestion ?? engines[0] ?? "";
  const available = `there ${engines.length === 1 ? "is" : "are"} ${engines.join(", ")}`;
  const mend =
    name === candidate.settings.engine
      ? `clew config set engine ${firstEngine}, or for one run: ${runCommand(candidate)} --engine ${firstEngine}`
      : `${whatNames(candidate, name)} names it`;
  throw new ClewError("unknown_engine", `there is no engine ${name} in this version`, `${meant}${available}: ${mend}`);
}

/** The same run once more, as a person would type it. */
function runCommand({ bead, grimoireName, target, variables, anyway }: Candidate): string {
  const assignments = Object.entries(variables).map(([name, value]) => `${name}=${asText(value)}`);
  const words = [
    ...(grimoireName === undefined ? [] : ["--grimoire", grimoireName]),
    ...(target === undefined ? [] : ["--target", target]),
    ...assignments.flatMap((each) => ["--var", each]),
    ...(anyway ? ["--anyway"] : []),
  ];
  return ["clew", "run", bead.id, ...words].map(shellWord).join(" ");
}

const asText = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));

function whatNames(candidate: Candidate, engine: string): string {
  const [step] = agentSteps(candidate).find(([, each]) => each === engine)!;
  if (step.engine === engine) return `step ${step.name} of its grimoire`;
  return pinnedAgent(candidate.agents, step.agent)?.file ?? "";
}

/** The steps that agents work on, each with its engine. */
function agentSteps({ grimoire, agents, settings }: Candidate): [AgentStep, engine: string][] {
  return [...allSteps(grimoire?.steps ?? [])].flatMap((step): [AgentStep, string][] =>
    step.type === "agent" ? [[step, agentOptions(step, pinnedAgent(agents, step.agent), settings).engine]] : [],
  );
}

/** Journals and file names hold the id as it is, so that it must be one that they can hold. */
function refuseOddId({ id }: Bead, { redact }: StartRules): void {
  if (holdsSecret(id, redact)) throw secretIn("invalid_input", "the id of the bead");
  if (id.isWellFormed()) return;
  throw new ClewError("invalid_input", "the id of the bead holds half of a character", "give the bead another id");
}

/** A step that would not be what its author wrote is refused, not redacted. */
function* secretChecks({ name, steps }: Grimoire, { redact }: StartRules): Generator<Check> {
  for (const step of allSteps(steps)) {
    const { steps: _, ...own } = { steps: [], ...step };
    yield () => {
      if (holdsSecret(own, redact)) throw secretIn("invalid_grimoire", `step ${step.name} of ${name}`);
    };
  }
}

/** Names count: a value that says nothing by itself may be a password by its name. */
export function refuseSecrets(values: Record<string, Json>, flag: string, redact: Redact): void {
  for (const [name, value] of Object.entries(values)) {
    if (holdsSecret({ [name]: value }, redact)) throw secretIn("invalid_input", `${flag} ${name}`);
  }
}

function secretIn(code: "invalid_grimoire" | "invalid_input", where: string): ClewError {
  return new ClewError(
    code,
    `${where} holds what looks like a secret, and a run would write it down`,
    "put it into the environment, and let the step read it from there: $NAME",
  );
}
