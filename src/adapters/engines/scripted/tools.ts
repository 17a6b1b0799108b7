import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  closeSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  realpathSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve, sep } from "node:path";

export interface ToolOutcome {
  output: string;
  failed: boolean;
}

/** Writes below the working folder and nowhere else, links included. */
export function writeTool(folder: string, path: string, content: string): ToolOutcome {
  try {
    const full = resolve(folder, path);
    if (!isInside(realpathSync(folder), full)) {
      return { output: `refused: ${path} leads out of the working folder`, failed: true };
    }
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, content);
    return { output: `wrote ${Buffer.byteLength(content)} bytes to ${path}`, failed: false };
  } catch (error) {
    return { output: `could not write ${path}: ${(error as Error).message}`, failed: true };
  }
}

/** Follows what exists of the path; what does not exist yet cannot be a link. */
function isInside(realFolder: string, full: string): boolean {
  let existing = full;
  while (lstatSync(existing, { throwIfNoEntry: false }) === undefined) existing = dirname(existing);
  const real = resolve(realpathSync(existing), relative(existing, full));
  return real.startsWith(realFolder.endsWith(sep) ? realFolder : realFolder + sep);
}

/** More of a command's output is cut. */
const longestOutputBytes = 8 * 1024 * 1024;

/**
 * Runs a command until its shell ends, or is ended by an abort. The output goes through a file: a background process would
 * keep a pipe open, and both streams keep their order.
 */
export async function runTool(folder: string, command: string, signal: AbortSignal): Promise<ToolOutcome> {
  const file = join(tmpdir(), `clew-scripted-${randomUUID()}`);
  const fd = openSync(file, "wx+", 0o600);
  unlinkSync(file);
  try {
    const child = spawn("/bin/sh", ["-c", command], { cwd: folder, stdio: ["ignore", fd, fd] });
    const onAbort = (): void => void child.kill("SIGKILL");
    signal.addEventListener("abort", onAbort);
    const failure = await new Promise<string>((done) => {
      child.once("error", (error) => done(`could not run it: ${error.message}`));
      child.once("exit", (code, ended) => {
        done(code === 0 ? "" : ended === null ? `Exit code ${code}\n` : `Ended by ${ended}\n`);
      });
    });
    signal.removeEventListener("abort", onAbort);
    return { output: failure + readOutput(fd), failed: failure !== "" };
  } finally {
    closeSync(fd);
  }
}

function readOutput(fd: number): string {
  const { size } = fstatSync(fd);
  const bytes = Buffer.alloc(Math.min(size, longestOutputBytes));
  const count = readSync(fd, bytes, 0, bytes.length, 0);
  const text = bytes.toString("utf8", 0, count);
  return size > count ? `${text}\n[cut here: ${size - count} more bytes]` : text;
}
