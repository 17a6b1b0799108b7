import { renderInPlace, renderPlain, renderRoomier, type FrontmatterBlock } from "./frontmatter.ts";

/**
 * Below this size, what a save point takes is syncs, however long the file is, and a person may well read all of it. Measured
 * in docs/decisions/0020-room-only-in-large-sessions.md.
 */
export const usualLargeBytes = 256 * 1024;

/** The file whose frontmatter is to be written. */
export interface HeadPlace {
  /** Bytes of frontmatter that stand there now. */
  headBytes: number;
  fileBytes: number;
  /** How long a large file is at least. */
  largeBytes: number;
  /** Whether the session is active once this is written. */
  isActive: boolean;
}

/** Room for updates in place is only for what is large and still grows: a person reads the others. */
export function hasRoom({ fileBytes, largeBytes, isActive }: HeadPlace): boolean {
  return isActive && fileBytes >= largeBytes;
}

/** The frontmatter as it is to be written: over the old one in place, or with the whole file anew. */
export function updateHead(block: FrontmatterBlock, place: HeadPlace): { text: string; isInPlace: boolean } {
  if (!hasRoom(place)) return { text: renderPlain(block), isInPlace: false };
  const text = renderInPlace(block, place.headBytes);
  return text === undefined ? { text: renderRoomier(block), isInPlace: false } : { text, isInPlace: true };
}
