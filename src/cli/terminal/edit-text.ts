import { spawn } from "node:child_process";
import { lstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The command of the person's editor; undefined when the environment names none. */
export function editorCommand(env: Record<string, string | undefined>): string | undefined {
  return env["VISUAL"] || env["EDITOR"] || undefined;
}

/** A text as the editor left it. */
interface EditedText {
  text: string;
  /** Whether the editor came to a good end. One that failed may have saved something before. */
  isFinished: boolean;
}

/** No workflow or plan is that long. */
const mostBytes = 16 << 20;

/** Has the person edit a text in their editor, which only the environment names. */
export async function editText(
  text: string,
  { name, env }: { name: string; env: Record<string, string | undefined> },
): Promise<EditedText> {
  const command = editorCommand(env);
  if (command === undefined) return { text, isFinished: false };
  const folder = mkdtempSync(join(tmpdir(), "clew-edit-"));
  const file = join(folder, name);
  try {
    writeFileSync(file, text, { mode: 0o600 });
    const child = spawn("/bin/sh", ["-c", `${command} "$@"`, command, file], { stdio: "inherit", env });
    const code = await new Promise<number | null>((resolve) => {
      child.once("error", () => resolve(null));
      child.once("exit", resolve);
    });
    const left = lstatSync(file);
    if (!left.isFile() || left.size > mostBytes) return { text, isFinished: false };
    return { text: readFileSync(file, "utf8"), isFinished: code === 0 };
  } catch {
    // The editor took the file away.
    return { text, isFinished: false };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
