import { ClewError } from "../../../contract/errors.ts";

/** What a person stopped. Nothing of it stays. */
export function interruptedExport(): ClewError {
  return new ClewError("interrupted", "the export was stopped, and nothing was written", "export again when you like");
}
