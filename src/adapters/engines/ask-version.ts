import { spawn, type ChildProcessByStdio } from "node:child_process";
import type { Readable } from "node:stream";
import type { VersionAnswer } from "../../app/engine/ports.ts";
import { endGroup } from "../shell/end-group.ts";

const defaults = {
  /** Some engines take seconds to start on a busy machine. */
  timeoutMs: 10_000,
  maxBytes: 64 * 1024,
};

/** How long what the program left running may hold its output open. */
const silenceMs = 300;

interface Question extends Partial<typeof defaults> {
  program: string;
  env: Record<string, string | undefined>;
}

/** Asks a program for its version. Never throws, and never waits for longer than its time. */
export async function askVersion({ program, env, ...limits }: Question): Promise<VersionAnswer> {
  let child: Asked;
  try {
    // In no repository: some engines read settings of the folder that they start in. In a group of its own, to end all of it.
    child = spawn(program, ["--version"], { cwd: "/", env, stdio: ["ignore", "pipe", "ignore"], detached: true });
  } catch (error) {
    return { failure: `cannot be started: ${(error as Error).message}` };
  }
  const answer = await answerOf(child, { ...defaults, ...limits });
  endGroup(child.pid);
  child.stdout.destroy();
  // Should the kernel not let it end, Clew does not wait for it.
  child.unref();
  return answer;
}

type Asked = ChildProcessByStdio<null, Readable, null>;

function answerOf(child: Asked, { timeoutMs, maxBytes }: typeof defaults): Promise<VersionAnswer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (answer: VersionAnswer): void => {
      clearTimeout(timer);
      clearTimeout(silence);
      resolve(answer);
    };
    const finish = (code: number | null): void =>
      end(code === 0 ? versionIn(Buffer.concat(chunks).toString("utf8")) : { failure: endWords(code) });
    const timer = setTimeout(() => end({ failure: `gave no answer within ${timeoutMs / 1000} s` }), timeoutMs);
    let silence: NodeJS.Timeout | undefined;
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) end({ failure: "prints without end" });
      else chunks.push(chunk);
    });
    child.once("error", (error) => end({ failure: `cannot be started: ${error.message}` }));
    child.once("close", finish);
    child.once("exit", (code) => (silence = setTimeout(() => finish(code), silenceMs)));
  });
}

/** Long enough for any version, with a name before it. */
const maxRead = 4_000;

function versionIn(output: string): VersionAnswer {
  const version = /\d{1,9}\.\d{1,9}\.\d{1,9}(?:-[\w.]{1,40})?/.exec(output.slice(0, maxRead))?.[0];
  return version === undefined ? { failure: "tells no version" } : { version };
}

function endWords(code: number | null): string {
  return code === null ? "was ended by a signal" : `exits with ${code}`;
}
