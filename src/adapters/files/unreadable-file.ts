import { ClewError } from "../../contract/errors.ts";

/** What has this path cannot be read as a file. `reason` says why, without the path. */
export class UnreadableFile extends ClewError {
  readonly path: string;
  readonly reason: string;

  constructor(path: string, reason: string, cause?: unknown) {
    super("unreadable_file", `${path} ${reason}`, "put a file in its place, or move it away", { cause });
    this.path = path;
    this.reason = reason;
  }
}
