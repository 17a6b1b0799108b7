import { ClewError } from "../../contract/errors.ts";
import type { PinnedRun } from "../../contract/pinned-run.ts";
import type { SignalOrigin } from "../../contract/run-fields.ts";
import type { Asker, Caller, CallerStep } from "./ports.ts";

/**
 * An approval is a person's. What a step started decides nothing about a run, but for runs that were begun below that very
 * step. Throws when the caller may not; the error names the process by which it is known.
 */
export function refuseFromStep(
  caller: Caller,
  runId: string,
  { begun_below = [] }: Pick<PinnedRun, "begun_below">,
): void {
  const foreign = caller.steps.find(({ step }) => !begun_below.includes(step));
  if (foreign) throw notAPerson(foreign, `the run ${runId} takes no word from it`);
}

/** The same for questions that only a person may answer. */
export function refuseAnyStep({ steps: [step] }: Caller): void {
  if (step) throw notAPerson(step, "what waits in the inbox is not answered from there");
}

/** The same for settings of the user's own, which count in all repositories and may loosen protection. */
export function refuseSettingFromStep({ steps: [step] }: Caller): void {
  if (step) throw notAPerson(step, "your own settings are not changed from there");
}

/** The same for the daemon, which drives runs of its own, and for tokens, by which programs speak for a person. */
export function refuseDaemonFromStep({ steps: [step] }: Caller): void {
  if (step) throw notAPerson(step, "no daemon is started or stopped from there, and no token is had");
}

/** What a step started cannot drive the run that waits for the step. */
export function refuseOwnRun({ steps }: Caller, runId: string): void {
  if (!steps.some(({ run }) => run === runId)) return;
  throw new ClewError(
    "not_possible_now",
    `this is a step of run ${runId}, which cannot go on before the step has ended`,
    "it goes on by itself when the step has ended",
  );
}

/** The steps that a run is begun below, to be pinned with it. */
export function begunBelow({ steps }: Caller): Pick<PinnedRun, "begun_below"> {
  return steps.length === 0 ? {} : { begun_below: [...new Set(steps.map(({ step }) => step))] };
}

export function originOf(caller: Caller, command: string, at: string): SignalOrigin {
  const { user, terminal, pid } = caller;
  return { user, terminal, pid, command: caller.for === undefined ? command : `${command}, ${caller.for}`, at };
}

/** The agent of a work session works on its own task: what else there is to do is begun by a person. */
export function refuseFromWork({ steps }: Caller): void {
  const own = steps.find(({ agent }) => agent === "work");
  if (own) throw notAPerson(own, "it drives no run", otherWorkHint);
}

/** This process as it calls for one that asks it. Who has no token is held to what an agent may, and so is who asks over MCP. */
export function callerFor(caller: Caller, asker: Asker | undefined): Caller {
  if (!asker) return caller;
  const own = { ...caller, terminal: null, for: asker.name };
  if (asker.isPerson) return own;
  const who = asker.overMcp
    ? ({ step: "mcp-client", agent: "mcp" } as const)
    : ({ step: "daemon-socket", agent: "unknown" } as const);
  return { ...own, steps: [...caller.steps, { ...who, run: null, pid: caller.pid, program: "" }] };
}

/** The way on for an agent that wants other work to be done. */
export const otherWorkHint = "give the result of your own task; clew bead create TITLE notes what else there is to do";

/** What an agent or step started may not do this; `hint` is what it does instead. */
export function notAPerson(step: CallerStep, consequence: string, hint = "this is for a person to decide"): ClewError {
  if (step.agent === "unknown") {
    const message = `a request without a token may be an agent's: ${consequence}`;
    return new ClewError("no_permission", message, "a person's token says who asks: clew daemon token makes one");
  }
  if (step.agent === "mcp")
    return new ClewError("no_permission", `who asks over MCP is an agent: ${consequence}`, hint);
  const { pid, program } = step;
  const name = program === "" ? `process ${pid}` : `process ${pid} (${program})`;
  return new ClewError("no_permission", `${name} was started by ${starterOf(step)}: ${consequence}`, hint);
}

function starterOf({ step, run, agent }: CallerStep): string {
  if (agent === "turn") return `a command of a plan of the session ${run}`;
  if (agent !== undefined) return `the agent of the ${agent === "work" ? "work session" : "talk"} ${run}`;
  return run !== null && step === `${run}:unknown` ? `a step of the run ${run}` : `the step ${step}`;
}
