import { crc32 } from "../crc32.ts";

/** How a CRC-32 is computed: there are faster ways for many bytes. */
export type Crc32 = (bytes: Uint8Array) => number;

/** CRC-32 as 8 hex digits: finds torn, truncated and flipped bytes. It does not protect against intent. */
export function checksum(bytes: Uint8Array, crc: Crc32 = crc32): string {
  return crc(bytes).toString(16).padStart(8, "0");
}
