import { crc32 } from "../crc32.ts";

/** CRC-32 as 8 hex digits: finds torn, truncated and flipped bytes. It does not protect against intent. */
export function checksum(bytes: Uint8Array): string {
  return crc32(bytes).toString(16).padStart(8, "0");
}
