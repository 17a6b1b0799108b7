import { crc32 } from "./crc32.ts";
import { utf8Length } from "./text.ts";

/** What a body is known by in index and search: its checksum, and how many bytes that is over. */
export function bodyName(body: string): string {
  return bodyNameOf(crc32(body), utf8Length(body));
}

/** The same from parts that were kept up to date entry by entry. */
export function bodyNameOf(checksum: number, bytes: number): string {
  return `${(checksum >>> 0).toString(16).padStart(8, "0")}-${bytes}`;
}

export function bytesIn(name: string): number {
  return Number(name.split("-")[1]);
}
