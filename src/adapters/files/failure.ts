import { ClewError } from "../../contract/errors.ts";
import { UnreadableFile } from "./unreadable-file.ts";

/** What the system said, in words a person can act on. Errors that are none of these pass through. */
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
        {
          cause: error,
        },
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

/** Runs file operations on `path`, explaining what fails. */
export function explainErrors<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw explainFailure(error, path);
  }
}

export function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return code === "ENOENT" || code === "ENOTDIR";
}
