import { ClewError } from "../../contract/errors.ts";
import { FileChanged } from "./disk.ts";

/** How often something is done again because an editor saved the file meanwhile. */
const tries = 8;

/** Who changes a file in small steps gets time to come to an end; this long after the first try, and longer after each. */
const pauseMs = 4;

/**
 * Does `work`, and does it again when it found that somebody else had changed the file. `work` must not do the same inside:
 * the tries would multiply.
 */
export async function retryOnChange<T>(file: string, work: (isRetry: boolean) => T | Promise<T>): Promise<T> {
  for (let left = tries; ; left--) {
    try {
      return await work(left < tries);
    } catch (error) {
      if (!(error instanceof FileChanged)) throw error;
      if (left === 0) throw changedTooOften(file, error);
      await new Promise((resolve) => setTimeout(resolve, pauseMs * (tries - left + 1)));
    }
  }
}

function changedTooOften(file: string, cause: FileChanged): ClewError {
  return new ClewError(
    "locked",
    `${file} is changed by another program over and over, and nothing was written`,
    "let that program finish, then repeat the command",
    { cause },
  );
}
