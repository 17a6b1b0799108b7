import { ClewError } from "../../contract/errors.ts";
import { FileChanged } from "./disk.ts";

/** How often something is done again because an editor saved the file meanwhile. */
const tries = 8;

/** Does `work`, and does it again when it found that somebody else had changed the file. */
export async function againWhileChanging<T>(file: string, work: (isAgain: boolean) => T | Promise<T>): Promise<T> {
  for (let left = tries; ; left--) {
    try {
      return await work(left < tries);
    } catch (error) {
      if (!(error instanceof FileChanged)) throw error;
      if (left === 0) throw keepsChanging(file, error);
    }
  }
}

function keepsChanging(file: string, cause: FileChanged): ClewError {
  return new ClewError(
    "locked",
    `${file} is changed by another program over and over, and nothing was written`,
    "let that program finish, then repeat the command",
    { cause },
  );
}
