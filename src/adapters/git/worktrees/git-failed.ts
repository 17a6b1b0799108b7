import { ClewError } from "../../../contract/errors.ts";

export function gitFailed(stderr: string): ClewError {
  const hint = "git status in this folder tells more";
  return new ClewError("not_available", `git does not answer: ${stderr.trim()}`, hint);
}
