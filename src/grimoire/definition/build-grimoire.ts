import { readDuration } from "../../text/duration.ts";
import type { Gate } from "../../contract/gate.ts";
import type { GateYaml, GrimoireYaml, StepYaml } from "../../contract/grimoire-schema.ts";
import type { Grimoire, Step } from "../../contract/grimoire.ts";

/** A grimoire as the program works with it. The schema has checked it and set defaults; durations become milliseconds. */
export function buildGrimoire({ timeout, steps, ...rest }: GrimoireYaml): Grimoire {
  return { ...rest, ...timeoutMs(timeout), steps: steps.map(buildStep) };
}

function buildStep(step: StepYaml): Step {
  const { timeout, ...rest } = step;
  const limit = timeoutMs(timeout);
  if (rest.type === "loop") return { ...rest, ...limit, steps: rest.steps.map(buildStep) };
  if (rest.type !== "agent") return { ...rest, ...limit };
  const { requires, ...fields } = rest;
  return { ...fields, ...limit, ...(requires && { requires: requires.map(buildGate) }) };
}

function buildGate({ command, shell = "sh", expect = 0, timeout, ...call }: GateYaml): Gate {
  if (command !== undefined) return { kind: "command", command, shell, expect, ...timeoutMs(timeout) };
  const { tool = "shell", exit = 0, count = 1, covers = [], fresh = true, ...rest } = call;
  return { kind: "call", tool, exit, count, covers, fresh, ...rest };
}

function timeoutMs(timeout: string | undefined): { timeout_ms?: number } {
  const ms = timeout === undefined ? undefined : readDuration(timeout);
  return ms === undefined ? {} : { timeout_ms: ms };
}
