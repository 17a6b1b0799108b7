import { closeSync, constants, fdatasyncSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ClewError } from "../../contract/errors.ts";
import { attempt } from "../../text/attempt.ts";
import { explainErrors, ifPresent } from "../files/failure.ts";
import { readRegular, writeAll } from "../files/regular-file.ts";
import { executionPaths } from "../layout/execution-paths.ts";
import { sha256Of } from "../layout/file-names.ts";
import { makePrivateFolder } from "./private-folder.ts";

/** What files held before and after a turn, each under the name of its hash. They are the user's own bytes, and not redacted. */
export interface KeptContents {
  /** On disk once `sync` was called. */
  keep(content: { bytes: Uint8Array; sha256: string }): void;
  sync(): void;
  /** Removes what a crash left half written. */
  removeLeftovers(): void;
  /** Undefined when it is missing, or not what its name says. */
  read(sha256: string): Uint8Array | undefined;
  /** Throws where `read` finds nothing. */
  get(sha256: string): Uint8Array;
}

export function keptContents(folder: string): KeptContents {
  const place = executionPaths.contents(folder);
  const read = (sha256: string): Uint8Array | undefined => {
    const bytes = ifPresent(() => readRegular(executionPaths.content(folder, sha256)));
    return bytes !== undefined && sha256Of(bytes) === sha256 ? bytes : undefined;
  };
  return {
    read,
    keep({ bytes, sha256 }) {
      if (read(sha256) !== undefined) return;
      makePrivateFolder(place);
      const path = executionPaths.content(folder, sha256);
      // Only a process that holds the session's lock writes here.
      const aside = `${path}.new`;
      explainErrors(path, () => {
        attempt(() => rmSync(aside), undefined);
        const fd = openSync(aside, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
        try {
          writeAll(fd, bytes, null);
          fdatasyncSync(fd);
        } finally {
          closeSync(fd);
        }
        renameSync(aside, path);
      });
    },
    removeLeftovers() {
      for (const name of ifPresent(() => readdirSync(place)) ?? [])
        if (name.endsWith(".new")) rmSync(join(place, name), { force: true });
    },
    sync() {
      const fd = ifPresent(() => openSync(place, constants.O_RDONLY | constants.O_DIRECTORY));
      if (fd === undefined) return;
      fsyncSync(fd);
      closeSync(fd);
    },
    get(sha256) {
      const bytes = read(sha256);
      if (bytes !== undefined) return bytes;
      throw new ClewError(
        "unreadable_file",
        `${executionPaths.content(folder, sha256)} is missing or was changed`,
        "what a file held before cannot be brought back without it; git may have it",
      );
    },
  };
}
