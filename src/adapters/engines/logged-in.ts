import { join } from "node:path";
import { readRegular } from "../files/regular-file.ts";
import { userHome } from "../layout/user-paths.ts";
import type { FileSign, LogInSigns } from "./known-programs.ts";

type Env = Record<string, string | undefined>;

const maxBytes = 1024 * 1024;

/** Whether files and variables show a log-in; null when there may be one that leaves no trace. Reads no secret out. */
export function isLoggedIn({ variables, folder, files, maybe }: LogInSigns, env: Env): boolean | null {
  const place = folderOf(folder, env);
  const isThere = (sign: FileSign): boolean => hasSign(place, sign);
  if (variables.some((name) => env[name]) || files.some(isThere)) return true;
  const mayBe = maybe?.on === "any" || maybe?.on === process.platform || maybe?.files?.some(isThere);
  return mayBe ? null : false;
}

/** Where an engine keeps its files. */
export function folderOf({ variable, below = "", otherwise }: LogInSigns["folder"], env: Env): string {
  const named = env[variable];
  return named ? join(named, below) : join(userHome(env), otherwise);
}

function hasSign(folder: string, sign: FileSign): boolean {
  const { file, holds } = typeof sign === "string" ? { file: sign, holds: "" } : sign;
  try {
    const content = readRegular(join(folder, file), maxBytes);
    return content.length > 0 && content.includes(holds);
  } catch {
    // What is missing, or cannot be read, shows nothing.
    return false;
  }
}
