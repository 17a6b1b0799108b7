import { accessSync, constants, statSync } from "node:fs";
import { resolve } from "node:path";
import type { GatedSpec } from "./gate.ts";
import { attempt } from "../../text/attempt.ts";

/** Why a command cannot be started, in words for a person; undefined when it can. */
export function startObstacle(spec: Pick<GatedSpec, "command" | "folder" | "env">): string | undefined {
  const { folder, env } = spec;
  const [program = ""] = spec.command;
  if (!isFolder(folder)) return `there is no folder ${folder}`;
  if (program.includes("/")) return isProgram(resolve(folder, program)) ? undefined : `${program} is not a program`;
  const places = (env["PATH"] ?? "/usr/bin:/bin").split(":");
  if (program !== "" && places.some((place) => isProgram(resolve(folder, place, program)))) return undefined;
  return `${program} is not installed: no folder on the PATH has it`;
}

/** The file of a program that is called by its name; undefined when no folder on the PATH has it. */
export function findProgram(name: string, env: GatedSpec["env"]): string | undefined {
  const places = (env["PATH"] ?? "/usr/bin:/bin").split(":").filter((place) => place.startsWith("/"));
  return places.map((place) => resolve(place, name)).find(isProgram);
}

function isFolder(path: string): boolean {
  return attempt(() => statSync(path).isDirectory(), false);
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
