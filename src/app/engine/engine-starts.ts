import { ClewError } from "../../contract/errors.ts";
import { nearest } from "../../text/nearest.ts";
import type { RunSettings } from "../../contract/pinned-run.ts";

/** Which engines there are, and what keeps one from starting. Reads only. */
export interface EngineStarts {
  names: readonly string[];
  /** What the user has to provide, and how; undefined when nothing is missing, or when there is no such engine. */
  problemOf(name: string, settings: Pick<RunSettings, "script">): string | undefined;
}

/** Why an engine that was named is none: the one that was meant, or all that there are. */
export function engineHint(name: string, names: readonly string[]): string {
  const suggestion = nearest(name, [...names]);
  return suggestion === undefined ? `there are ${names.join(", ")}` : `did you mean ${suggestion}?`;
}

/** What gives an engine what it lacks, as a command. */
const mends: Record<string, string> = { scripted: "clew config set engines.scripted.script FILE" };

/** Throws a ClewError when an engine is there and cannot start. */
export function refuseUnstartable(engines: EngineStarts, name: string, settings: Pick<RunSettings, "script">): void {
  const problem = engines.problemOf(name, settings);
  if (problem === undefined) return;
  throw new ClewError("invalid_config", problem, mends[name] ?? `clew engine doctor ${name} tells more`);
}
