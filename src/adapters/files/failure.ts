import { ClewError } from "../../contract/errors.ts";
import { UnreadableFile } from "./unreadable-file.ts";

/** A system error as a ClewError that a user can act on. Any other error is returned as it is. */
export function explainFailure<E>(error: E, path: string): E | ClewError {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  switch (code) {
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return new ClewError(
        "no_permission",
        `no permission for ${path} (${code})`,
        "give yourself rights to this file and its folder (ls -ld shows them), then repeat the command",
        { cause: error },
      );
    case "ENOSPC":
    case "EDQUOT":
    case "EFBIG":
      return new ClewError(
        "disk_full",
        `no room on disk for ${path} (${code})`,
        "free some space, then repeat the command",
        { cause: error },
      );
    case "EISDIR":
      return new UnreadableFile(path, "is a folder, not a file", error);
    case "ELOOP":
      return new UnreadableFile(path, "is a link that leads to itself", error);
    case "ENXIO":
    case "ENODEV":
      return new UnreadableFile(path, "is a pipe, a socket or a device, not a file", error);
    default:
      return error;
  }
}

/** A full disk or a file in the way has a name wherever it was met, also by the program's own output. */
export function explainError(error: unknown): unknown {
  const { path, dest, code } = (error ?? {}) as NodeJS.ErrnoException & { dest?: string };
  const place = dest ?? path ?? "what was to be written";
  if (code === "ENOTDIR" || code === "EEXIST") {
    const message = `${place}: a file is in the way, where a folder belongs`;
    return new ClewError("unreadable_file", message, "move it aside, then repeat the command", { cause: error });
  }
  return explainFailure(error, place);
}

/** Runs file operations on `path`. Throws their errors as `explainFailure` returns them. */
export function explainErrors<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw explainFailure(error, path);
  }
}

/** Runs `work`. Returns `fallback` when it throws a ClewError; other errors pass. */
export function withFallback<T, F>(work: () => T, fallback: F): T | F {
  try {
    return work();
  } catch (error) {
    if (error instanceof ClewError) return fallback;
    throw error;
  }
}

/** Writes a projection. It can be made again, so that no error is thrown. */
export function ifPossible(write: () => void): void {
  try {
    write();
  } catch {
    return;
  }
}

/** Runs `read`. Returns undefined when what it reads does not exist; other errors pass. */
export function ifPresent<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

export function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return code === "ENOENT" || code === "ENOTDIR";
}
