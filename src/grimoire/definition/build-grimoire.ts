import { readDuration } from "../../text/duration.ts";
import type { GrimoireYaml, StepYaml } from "../../contract/grimoire-schema.ts";
import type { Grimoire, Step } from "../../contract/grimoire.ts";

/** A grimoire as the program works with it. The schema has checked it and set defaults; durations become milliseconds. */
export function buildGrimoire({ timeout, steps, ...rest }: GrimoireYaml): Grimoire {
  return { ...rest, ...timeoutMs(timeout), steps: steps.map(buildStep) };
}

function buildStep(step: StepYaml): Step {
  const { timeout, ...rest } = step;
  const limit = timeoutMs(timeout);
  return rest.type === "loop" ? { ...rest, ...limit, steps: rest.steps.map(buildStep) } : { ...rest, ...limit };
}

function timeoutMs(timeout: string | undefined): { timeout_ms?: number } {
  const ms = timeout === undefined ? undefined : readDuration(timeout);
  return ms === undefined ? {} : { timeout_ms: ms };
}
