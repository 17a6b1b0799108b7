import { createHash } from "node:crypto";

/** The name under which git would store these bytes. */
export function gitBlobName(bytes: Uint8Array): string {
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}
