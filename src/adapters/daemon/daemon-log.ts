import { closeSync, constants, copyFileSync, fstatSync, ftruncateSync, renameSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import type { DaemonLog } from "../../app/daemon/process-ports.ts";
import { escapedControls, visibleControls } from "../../text/controls.ts";
import { ifPossible, ifPresent } from "../files/failure.ts";
import { makeFolderIn } from "./make-folder-in.ts";
import { openRegular, readRange, withRegular } from "../files/regular-file.ts";
import { olderLog } from "../layout/daemon-paths.ts";

const maxBytes = 5 * 1024 * 1024;
const olderFiles = 3;
const maxTailBytes = 16 * 1024;
const maxTailLines = 12;

/**
 * The log of a repository's daemon: a line for each event, with its time, its type and what it says as JSON. When it has grown to
 * five megabytes it is copied aside and emptied, in place: the daemon's own stderr leads there, too, and must stay with it.
 */
export function daemonLog(path: string): DaemonLog {
  return {
    path,
    write(at, type, facts) {
      const line = Buffer.from(`${at} ${type} ${escapedControls(JSON.stringify(facts))}\n`);
      ifPossible(() => {
        const fd = openLog(path);
        try {
          if (fstatSync(fd).size + line.length > maxBytes) rotate(path, fd);
          writeSync(fd, line);
        } finally {
          closeSync(fd);
        }
      });
    },
    end: () => ifPresent(() => withRegular(path, constants.O_RDONLY, 0, (_, { size }) => Number(size))) ?? 0,
    linesSince(place) {
      const text = ifPresent(() =>
        withRegular(path, constants.O_RDONLY, 0, (fd, stats) => {
          const size = Number(stats.size);
          // It was emptied since, when it is shorter now.
          const start = Math.max(place <= size ? place : 0, size - maxTailBytes);
          return readRange(fd, start, size).toString("utf8");
        }),
      );
      const lines = (text ?? "").split("\n").filter((line) => line.trim() !== "");
      return lines.slice(-maxTailLines).map((line) => visibleControls(line.trimEnd()));
    },
  };
}

/** Opens the log for appending, also for a process that is about to be started. Follows no link. */
export function openLog(path: string): number {
  makeFolderIn(dirname(path));
  return openRegular(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW, 0o600).fd;
}

/** A crash after the copy leaves lines in both files, and loses none. */
function rotate(path: string, fd: number): void {
  for (let number = olderFiles - 1; number >= 1; number--)
    ifPresent(() => renameSync(olderLog(path, number), olderLog(path, number + 1)));
  copyFileSync(path, olderLog(path, 1));
  ftruncateSync(fd, 0);
}
