import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The command of the person's editor; undefined when the environment names none. */
export function editorCommand(env: Record<string, string | undefined>): string | undefined {
  return env["VISUAL"] || env["EDITOR"] || undefined;
}

/** Has the person edit a text in their editor. Undefined when the editor failed; only the environment names it. */
export async function editText(
  text: string,
  { name, env }: { name: string; env: Record<string, string | undefined> },
): Promise<string | undefined> {
  const command = editorCommand(env);
  if (command === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "clew-edit-"));
  const file = join(folder, name);
  try {
    writeFileSync(file, text, { mode: 0o600 });
    const child = spawn("/bin/sh", ["-c", `${command} "$@"`, command, file], { stdio: "inherit", env });
    const code = await new Promise<number | null>((resolve) => {
      child.once("error", () => resolve(null));
      child.once("exit", resolve);
    });
    return code === 0 ? readFileSync(file, "utf8") : undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
