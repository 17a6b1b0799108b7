import { createHash } from "node:crypto";

/** The id where it can name a file on every disk, also one that knows no capital letters; else a hash of it. */
export function beadFileName(bead: string): string {
  return /^[a-z0-9][a-z0-9.-]{0,99}$/.test(bead) ? bead : createHash("sha256").update(bead).digest("hex");
}
