import { crc32 } from "../../session/crc32.ts";

/** A short text for what was taken in last: no name or id, which a redactor might change. */
export function markOf(data: Uint8Array | string): string {
  return `m-${crc32(data).toString(36).padStart(7, "0")}`;
}
