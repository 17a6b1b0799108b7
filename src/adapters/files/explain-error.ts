import { ClewError } from "../../contract/errors.ts";
import { explainFailure } from "./failure.ts";

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
