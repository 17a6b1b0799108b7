import { ClewError } from "../../contract/errors.ts";
import { FileChanged } from "./disk.ts";

const maxRetries = 8;

/** The pause before the first retry. Each further pause is longer, so that a program that writes in small steps can finish. */
const pauseMs = 4;

/**
 * Runs `work`, and again when it throws `FileChanged`, such as after an editor saved the file. `work` must not call this
 * itself: the retries would multiply.
 */
export async function retryOnChange<T>(file: string, work: (isRetry: boolean) => T | Promise<T>): Promise<T> {
  for (let retries = 0; ; retries++) {
    try {
      return await work(retries > 0);
    } catch (error) {
      if (!(error instanceof FileChanged)) throw error;
      if (retries === maxRetries) throw changedTooOften(file, error);
      await new Promise((resolve) => setTimeout(resolve, pauseMs * (retries + 1)));
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
