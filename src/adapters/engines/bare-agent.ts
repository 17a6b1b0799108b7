import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { AgentPlace, AgentTask } from "../../app/engine/agents.ts";
import type { PermissionEvent } from "../../contract/engine.ts";
import type { Engine } from "./engine.ts";
import { tempFolder } from "../shell/temp-folder.ts";

/**
 * Has a bare agent work in an empty folder of its own, which only this user can read, and which is removed after it: engines look for files of
 * instructions, settings, hooks and servers where they work and above.
 */
export async function withBareFolder<T>(place: AgentPlace, work: (place: AgentPlace) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tempFolder(), "clew-bare-"));
  try {
    return await work({ ...place, folder });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Why a bare agent cannot be given a prompt; undefined when it can. */
export function promptProblem({ prompt }: AgentTask, { name, commandSigns = [] }: Engine): string | undefined {
  const sign = commandSigns.find((each) => prompt.trimStart().startsWith(each));
  return sign === undefined
    ? undefined
    : `${name} takes a prompt that begins with ${sign} for a command of its own: begin it with another character`;
}

/** Why a bare agent gets no permission; completes what its model is told of a denied call. */
export const bareDenial = "You have no tools: answer with what you were given.";

/** The option that denies a call of a bare agent; undefined when its engine offers none. */
export function rejectionOf({ options }: Pick<PermissionEvent, "options">): string | undefined {
  return (options.find(({ kind }) => kind === "reject_once") ?? options.find(({ kind }) => kind === "reject_always"))
    ?.id;
}
