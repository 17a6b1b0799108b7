import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { tempFolder } from "../shell/temp-folder.ts";
import type { EngineStart } from "./engine.ts";

/** Has the files of a start there while the work goes on, in a folder that only this user can read, or in the agent's own. */
export async function withStartFiles<T>(
  { files = [] }: Pick<EngineStart, "files">,
  agentFolder: string,
  work: (env: Record<string, string>) => Promise<T>,
): Promise<T> {
  if (files.length === 0) return work({});
  const folder = mkdtempSync(join(tempFolder(), "clew-agent-"));
  try {
    const env: Record<string, string> = {};
    for (const { variable, name, content } of files) {
      const path = join(variable === undefined ? agentFolder : folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content, { mode: 0o600 });
      if (variable !== undefined) env[variable] = path;
    }
    return await work(env);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
