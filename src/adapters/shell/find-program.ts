import { accessSync, constants, statSync } from "node:fs";
import { resolve } from "node:path";

interface Wanted {
  command: string[];
  folder: string;
  env: Record<string, string | undefined>;
}

/** Why a command cannot even be started, in words for a person. */
export function startObstacle({ command: [program = ""], folder, env }: Wanted): string | undefined {
  if (!isFolder(folder)) return `there is no folder ${folder}`;
  if (program.includes("/")) return isProgram(resolve(folder, program)) ? undefined : `${program} is not a program`;
  const places = (env["PATH"] ?? "/usr/bin:/bin").split(":");
  if (program !== "" && places.some((place) => isProgram(resolve(folder, place, program)))) return undefined;
  return `${program} is not installed: no folder on the PATH has it`;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
