import { listedEngine } from "../engine/describe.ts";
import type { EngineProbes } from "../engine/ports.ts";
import type { Check, CheckResult } from "./examine.ts";

/** What the doctor says of the engine that the settings name. Sessions need none, so that it is no problem by itself. */
export function engineCheck(probes: EngineProbes, name: string): Check {
  return { name: "engine", look: async () => [await lookAtEngine(probes, name)] };
}

async function lookAtEngine(probes: EngineProbes, name: string): Promise<CheckResult> {
  const facts = await probes.probe(name);
  if (!facts) {
    const message = `${name} is none of ${probes.names.join(", ")}`;
    return { status: "warning", message, hint: `clew config set engine ${probes.names[0]}` };
  }
  const { version, problem, logged_in } = listedEngine(facts);
  if (problem !== undefined)
    return { status: "warning", message: `${name}: ${problem}`, hint: `clew engine doctor ${name} tells more` };
  const login = logged_in === null ? "; whether it is logged in, only it can tell" : "";
  return { status: "ok", message: [name, ...(version === null ? [] : [version])].join(" ") + login };
}
