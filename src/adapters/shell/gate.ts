import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { Socket } from "node:net";
import type { Duplex, Readable } from "node:stream";
import type { ChildInput } from "./child-input.ts";

/**
 * Waits for a word on descriptor 3 before it becomes the command; when there is none, because we died, it ends.
 *
 * Node connects children by sockets, and on Linux a socket cannot be opened by name: `echo oops >/dev/stderr` would
 * fail. So the gate makes two pipes of its own, which here-documents are in most shells (4 and 5, emptied, and opened for
 * writing as 6 and 7), and shows them to us. Where they are files, or /proc is missing, the sockets stay.
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
 * The gate of a script, which the same shell goes on to read: that spares the start of another. It comes in a variable,
 * because everybody can see arguments, and is no argument any more when it begins.
 */
const scriptGate = `set -- "$CLEW_GATE"
${wait}exec ${ownDescriptors}
eval "shift;$1"
`;

export interface GatedSpec {
  command: string[];
  /** What the shell of the gate does itself: the command is then the shell's name, and nothing more. */
  script?: string;
  folder: string;
  env: Record<string, string | undefined>;
  stdin?: string | ChildInput;
}

/** A child that has not begun. */
export interface GatedChild {
  pid: number;
  /** It stands at the gate. */
  ready: Promise<void>;
  exited: Promise<Exit>;
  /** Lets it begin; to be called once it waits. */
  open(): Output;
  /** Lets go of all that connects us with it. */
  release(): void;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface Output {
  stdout: Readable;
  stderr: Readable;
}

/**
 * Starts a child in a group and session of its own. Rejects when the system refuses. The command gets the environment as
 * the shell passes it on: with the folder as PWD, and in some shells without names that no shell could write.
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
  // A child need not read what it is given.
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

/** Our ends of the pipes that the gate made, when it did. */
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
    // There is no /proc, or we may not look at it.
    return undefined;
  }
  if (fstatSync(fd).isFIFO()) return new Socket({ fd, readable: true, writable: false });
  closeSync(fd);
  return undefined;
}
