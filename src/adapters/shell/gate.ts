import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { Socket } from "node:net";
import type { Duplex, Readable } from "node:stream";
import type { ChildInput } from "./child-input.ts";

/**
 * Waits for a word on descriptor 3 before it becomes the command. When none comes, because Clew died, it ends.
 *
 * Node connects children by sockets, and on Linux a socket cannot be opened by name: `echo oops >/dev/stderr` would
 * fail. So the gate makes two pipes by here-documents, which are pipes in most shells (4 and 5, emptied, and opened for
 * writing as 6 and 7), and Clew opens them. Where they are files, or /proc is missing, the sockets stay.
 */
const wait = `exec 4<<E 5<<E
.
E
.
E
read -r CLEW_GATE <&4
read -r CLEW_GATE <&5
[ -p /proc/self/fd/4 ] && [ -p /proc/self/fd/5 ] && exec 6>/proc/self/fd/4 7>/proc/self/fd/5
echo >&3
read -r CLEW_GATE <&3 || exit 125
[ "$CLEW_GATE" = pipes ] && exec >&6 2>&7
unset -v CLEW_GATE
`;

const ownDescriptors = "3<&- 4<&- 5<&- 6>&- 7>&-";

/** The gate of a command, which is its arguments. */
const commandGate = `${wait}exec "$@" ${ownDescriptors}
`;

/**
 * The gate of a script, which the same shell then evaluates: that spares the start of another. The script comes in a
 * variable, because every user can see arguments, and is removed from the arguments before it begins.
 */
const scriptGate = `set -- "$CLEW_GATE"
${wait}exec ${ownDescriptors}
eval "shift;$1"
`;

export interface GatedSpec {
  /** The program and its arguments; no shell reads them. */
  command: string[];
  /** A script for the shell of the gate; the command is then only the shell's name. */
  script?: string;
  /** Where it works. */
  folder: string;
  /** Its whole environment. */
  env: Record<string, string | undefined>;
  /** Its input: nothing when absent, a text, or what is written while it works. */
  stdin?: string | ChildInput;
}

/** A child that waits at the gate. */
export interface GatedChild {
  pid: number;
  /** Resolves when it is at the gate. */
  ready: Promise<void>;
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Lets it begin; called once it is ready. */
  open(): Output;
  /** Closes all streams to and from it. */
  release(): void;
}

export interface Output {
  stdout: Readable;
  stderr: Readable;
}

/**
 * Starts a child in its own group and session. Rejects when the system refuses. The command gets the environment as the
 * shell passes it on: with the folder as PWD, and in some shells without names that are no shell variables.
 */
export async function startGated(spec: GatedSpec, shell: [string, ...string[]] = ["/bin/sh"]): Promise<GatedChild> {
  const [program, ...options] = shell;
  const { command, script } = spec;
  const gate = script === undefined ? [commandGate, "clew", ...command] : [scriptGate, ...command];
  const child = spawn(program, [...options, "-c", ...gate], {
    cwd: spec.folder,
    env: { ...spec.env, PWD: spec.folder, CLEW_GATE: script },
    detached: true,
    stdio: [spec.stdin === undefined ? "ignore" : "pipe", "pipe", "pipe", "pipe"],
  });
  const { pid, stdin } = child;
  const stdout = child.stdout as Readable;
  const stderr = child.stderr as Readable;
  const channel = child.stdio[3] as Duplex;
  if (pid === undefined) throw (await once(child, "error"))[0] as Error;
  // A child need not read its input.
  for (const stream of [channel, stdin]) stream?.on("error", () => stream.destroy());
  return {
    pid,
    ready: new Promise((resolve) => channel.once("data", () => resolve())),
    exited: new Promise((resolve) => child.once("exit", (code, signal) => resolve({ code, signal }))),
    open() {
      const pipes = openPipes(pid);
      channel.end(pipes === undefined ? "go\n" : "pipes\n");
      if (typeof spec.stdin === "string") stdin?.end(spec.stdin);
      else if (stdin) spec.stdin?.connect(stdin);
      return pipes ?? { stdout, stderr };
    },
    release() {
      for (const stream of [channel, stdin, stdout, stderr]) stream?.destroy();
      child.unref();
    },
  };
}

/** Opens the pipes that the gate made; undefined when it made none. */
function openPipes(pid: number): Output | undefined {
  const stdout = openPipe(`/proc/${pid}/fd/4`);
  const stderr = openPipe(`/proc/${pid}/fd/5`);
  if (stdout !== undefined && stderr !== undefined) return { stdout, stderr };
  stdout?.destroy();
  stderr?.destroy();
  return undefined;
}

function openPipe(path: string): Readable | undefined {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    // There is no /proc, or no right to read it.
    return undefined;
  }
  if (fstatSync(fd).isFIFO()) return new Socket({ fd, readable: true, writable: false });
  closeSync(fd);
  return undefined;
}
