import { ClewError } from "../../../contract/errors.ts";

/** Git could not even be asked. */
export function gitFailed(stderr: string): ClewError {
  return new ClewError(
    "not_available",
    `git does not answer: ${stderr.trim()}`,
    "git status in this folder tells more",
  );
}
