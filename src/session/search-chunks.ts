import { entryText } from "./entry-text.ts";
import type { Item } from "./items.ts";
import { readItems } from "./parse.ts";
import { utf8Length } from "./text.ts";

/** A stretch of a session's body that is searched as one: consecutive items of one phase. */
export interface SearchChunk {
  /** Byte offsets within the body, `end` exclusive. */
  start: number;
  end: number;
  /** Its first line, counted in the body from 0. */
  line: number;
  /** Id and title of the phase. */
  phase: string;
  title: string;
  /** Holds the words of each entry as they stand in the entry. Only words and places are stored, never the text. */
  text: string;
}

/** Where a text begins within its body, so that reading can start at any chunk. */
export type ChunkPlace = Pick<SearchChunk, "start" | "line" | "phase" | "title">;

export const bodyStart: ChunkPlace = { start: 0, line: 0, phase: "phase-0", title: "Start" };

/** What an item says besides, in files of its own. */
export type WholeResults = (item: Item) => readonly string[];

/** Bytes after which a chunk is full. Small enough to read quickly at a hit, large enough to keep the search small. */
const chunkBytes = 2048;

/** Cuts the text of a body, from `place` on, into chunks. Cutting again from any chunk's start gives the same chunks. */
export function chunksOf(text: string, place: ChunkPlace, wholeResults: WholeResults = () => []): SearchChunk[] {
  const chunks: SearchChunk[] = [];
  let { phase, title, start: byte, line } = place;
  let chunk: { from: number; to: number; texts: string[]; size: number } | undefined;
  let at = 0;

  /** Counts bytes and lines up to `to`. */
  const advance = (to: number): void => {
    byte += utf8Length(text.slice(at, to));
    for (let next = text.indexOf("\n", at); next >= 0 && next < to; next = text.indexOf("\n", next + 1)) line++;
    at = to;
  };
  const close = (): void => {
    if (!chunk) return;
    advance(chunk.from);
    const head = { start: byte, line, phase, title };
    advance(chunk.to);
    chunks.push({ ...head, end: byte, text: chunk.texts.join("\n") });
    chunk = undefined;
  };

  readItems(
    text,
    0,
    (item, start, end) => {
      if (item.kind === "phase") {
        close();
        phase = item.mark?.id ?? "";
        title = item.title;
      } else if (chunk && chunk.size >= chunkBytes) close();
      chunk ??= { from: start, to: end, texts: [], size: 0 };
      chunk.to = end;
      chunk.texts.push(entryText(item), ...wholeResults(item));
      chunk.size += end - start;
    },
    true,
  );
  close();
  return chunks;
}
