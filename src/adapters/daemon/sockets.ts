import { chmodSync, lstatSync, mkdirSync, rmSync } from "node:fs";
import { createConnection } from "node:net";
import { dirname } from "node:path";
import type { Sockets } from "../../app/daemon/process-ports.ts";
import { ClewError } from "../../contract/errors.ts";
import { explainErrors } from "../files/failure.ts";
import { describeKind } from "../files/regular-file.ts";
import { askDaemon } from "./ask-daemon.ts";
import { folderProblem, socketPath } from "./socket-path.ts";

/** Where the sockets of this user's daemons are. */
export function daemonSockets(commonDir: string, env: Record<string, string | undefined>): Sockets {
  return {
    async prepare() {
      const socket = socketPath(commonDir, env);
      makePrivateFolder(dirname(socket));
      await removeStale(socket);
      return socket;
    },
    protect: (socket) => explainErrors(socket, () => chmodSync(socket, 0o600)),
    ask: askDaemon,
  };
}

/** Throws unless it is a folder of this user's, in which nobody else can put anything. */
function makePrivateFolder(folder: string): void {
  explainErrors(folder, () => mkdirSync(folder, { recursive: true, mode: 0o700 }));
  const problem = folderProblem(folder);
  if (problem !== undefined) {
    const hint = `remove it, or set XDG_RUNTIME_DIR to a folder of your own; ls -ld ${folder} shows what it is`;
    throw new ClewError("no_permission", `the daemon's socket cannot stand in ${folder}: it ${problem}`, hint);
  }
  chmodSync(folder, 0o700);
}

/** Only called by the process that has the daemon's place, so that what stands there is no living daemon's of this repository. */
async function removeStale(socket: string): Promise<void> {
  const stats = lstatSync(socket, { throwIfNoEntry: false, bigint: true });
  if (!stats) return;
  if (!stats.isSocket()) {
    const what = stats.isSymbolicLink() ? "a link" : stats.isFile() ? "a file" : describeKind(stats);
    throw new ClewError("not_possible_now", `${socket} is ${what}, where the daemon's socket belongs`, `rm ${socket}`);
  }
  if (await isListening(socket)) {
    throw new ClewError(
      "not_possible_now",
      `another process listens at ${socket}, and is not the daemon of this repository`,
      "it may be one whose repository was moved, which ends by itself: try again in a few seconds, or end it (lsof names it)",
    );
  }
  explainErrors(socket, () => rmSync(socket, { force: true }));
}

/** A socket that no living process has refuses at once. */
function isListening(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = createConnection(socket);
    const end = (is: boolean): void => {
      connection.destroy();
      resolve(is);
    };
    connection.once("connect", () => end(true));
    // Full, but there: EAGAIN.
    connection.once("error", ({ code }: NodeJS.ErrnoException) => end(code !== "ECONNREFUSED" && code !== "ENOENT"));
  });
}
