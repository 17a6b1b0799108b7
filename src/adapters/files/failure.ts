import { ClewError } from "../../contract/errors.ts";

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
      return new ClewError("damaged_session", `${path} is a folder, not a file`, "move that folder away", {
        cause: error,
      });
    default:
      return error;
  }
}

/** Runs file operations on `path`, explaining what fails. */
export function explained<T>(path: string, work: () => T): T {
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
