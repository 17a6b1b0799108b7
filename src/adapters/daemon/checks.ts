import { chmodSync, lstatSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { holderOf } from "../../app/daemon/find.ts";
import type { DaemonPlace } from "../../app/daemon/process-ports.ts";
import type { Check, CheckResult } from "../../app/doctor/examine.ts";
import type { Disk } from "../files/disk.ts";
import { paths, type Layout } from "../layout.ts";
import { idOfToken } from "../layout/daemon-paths.ts";
import { folderProblem, userId } from "./socket-path.ts";

interface Parts {
  disk: Disk;
  layout: Layout;
  place: DaemonPlace;
  /** Where this repository's socket would be. */
  socket: string;
  /** The version of this program. */
  version: string;
}

/** What the doctor says of the daemon, its socket and its tokens. */
export function daemonChecks({ disk, layout, place, socket, version }: Parts): Check[] {
  return [
    { name: "daemon", look: () => [lookAtDaemon(place, version), ...lookAtFolder(dirname(socket))] },
    { name: "tokens", look: () => lookAtTokens(disk, paths.tokens(layout)) },
  ];
}

function lookAtDaemon(place: DaemonPlace, version: string): CheckResult {
  const found = place.registered();
  if (!found) return { status: "ok", message: "none runs" };
  const holder = holderOf(place);
  if (holder) {
    const { pid, program, started } = holder.registration;
    if (program === version) return { status: "ok", message: `process ${pid}, since ${started}` };
    const hint = "clew daemon stop, then clew daemon start";
    return { status: "warning", message: `process ${pid} is of version ${program}, this program is ${version}`, hint };
  }
  return {
    status: "warning",
    message: `process ${found.pid} registered as daemon and is gone; the next clew daemon start does not mind`,
    repair() {
      // Who takes the place writes its own registration there, and removes it when it leaves.
      place.take("scheduler").release();
      return "removed the registration";
    },
  };
}

function lookAtFolder(folder: string): CheckResult[] {
  if (!lstatSync(folder, { throwIfNoEntry: false })) return [];
  const problem = folderProblem(folder);
  if (problem === undefined) return [];
  const hint = "the daemon does not start before it is removed, or XDG_RUNTIME_DIR names another";
  return [{ status: "problem", message: `${folder}, where its socket belongs, ${problem}`, hint }];
}

/** Hashes cannot be turned back into tokens; but who can write there makes tokens of their own. */
function lookAtTokens(disk: Disk, folder: string): CheckResult[] {
  const names = disk.list(folder).filter((name) => idOfToken(name) !== undefined);
  const expected = [{ path: folder, mode: 0o700 }, ...names.map((name) => ({ path: join(folder, name), mode: 0o600 }))];
  const outcomes = expected.flatMap(({ path, mode }): CheckResult[] => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats) return [];
    if (stats.isSymbolicLink()) {
      const repair = (): string => (rmSync(path), `removed the link ${path}`);
      return [{ status: "warning", message: `${path} is a link, and counts as no token`, repair }];
    }
    if (stats.uid !== userId()) {
      const hint = "clew daemon token makes tokens of your own";
      return [{ status: "warning", message: `${path} belongs to another user, and counts as no token`, hint }];
    }
    if ((stats.mode & 0o077) === 0) return [];
    const repair = (): string => {
      chmodSync(path, mode);
      return `${path} is yours alone`;
    };
    return [{ status: "warning", message: `other users have rights to ${path}`, repair }];
  });
  return outcomes.length > 0 ? outcomes : [{ status: "ok", message: `${names.length} made` }];
}
