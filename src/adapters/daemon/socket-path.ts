import { lstatSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { isAbsolute, join } from "node:path";
import { socketIn } from "../layout/daemon-paths.ts";

type Env = Record<string, string | undefined>;

/** The system cuts off the path of a socket at about this length, and some without a word. */
const maxPathBytes = 100;

/** In the first of these folders whose path is short enough: the one of the user's log-in, the temporary one, /tmp. */
export function socketPath(commonDir: string, env: Env): string {
  const own = `clew-${userId()}`;
  const runtime = env["XDG_RUNTIME_DIR"];
  const inRuntime = runtime !== undefined && isAbsolute(runtime) && isFolder(runtime) ? [join(runtime, "clew")] : [];
  const folders = [...inRuntime, join(tmpdir(), own)];
  const sockets = folders.map((folder) => socketIn(folder, commonDir));
  return sockets.find((path) => Buffer.byteLength(path) < maxPathBytes) ?? socketIn(join("/tmp", own), commonDir);
}

/** Why no socket may stand in a folder; undefined when one may. */
export function folderProblem(folder: string): string | undefined {
  const stats = lstatSync(folder);
  if (stats.isSymbolicLink()) return "is a link";
  if (!stats.isDirectory()) return "is no folder";
  if (stats.uid !== userId()) return "belongs to another user";
  return (stats.mode & 0o022) === 0 ? undefined : "can be written to by other users";
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** The user that this process runs as. */
export function userId(): number {
  return process.getuid?.() ?? userInfo().uid;
}
