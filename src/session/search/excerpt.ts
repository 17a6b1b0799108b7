import { graphemeBorder, graphemes } from "./graphemes.ts";
import type { Span } from "./places.ts";

export interface Excerpt {
  /** One line of at most `width` graphemes, with `…` where something was left out. */
  text: string;
  /** The given spans, as far as they are inside. */
  spans: Span[];
}

/** One line around the first span, with a third of the spare room before it. `width` is at least 3. */
export function excerpt(text: string, spans: Span[], width: number): Excerpt {
  const line = lineAround(text, spans, width);
  const cells = graphemes(line.text);
  const focus = line.spans[0] ?? { start: 0, end: 0 };
  const first = cellsBefore(cells, focus.start);
  const length = cellsBefore(cells, focus.end) - first;
  const lead = Math.max(1, Math.floor((width - length) / 3));
  const to = Math.min(cells.length, Math.max(0, first - lead) + width);
  const from = Math.max(0, to - width);
  const before = from > 0 ? "…" : "";
  const after = to < cells.length ? "…" : "";
  const start = cells.slice(0, from + before.length).join("").length;
  const shown = cells.slice(from + before.length, to - after.length).join("");
  return {
    text: before + shown + after,
    spans: clip(line.spans, { start, end: start + shown.length }, before.length - start),
  };
}

/** How many graphemes begin before a place. */
function cellsBefore(cells: string[], place: number): number {
  let count = 0;
  for (let at = 0; at < place; count++) at += cells[count]?.length ?? Infinity;
  return count;
}

/** The parts of spans inside a window, moved by `shift`. */
function clip(spans: Span[], window: Span, shift: number): Span[] {
  return spans
    .map(({ start, end }) => ({ start: Math.max(start, window.start), end: Math.min(end, window.end) }))
    .filter(({ start, end }) => start < end)
    .map(({ start, end }) => ({ start: start + shift, end: end + shift }));
}

/** Enough of the text to fill the line, on one line; taking a long text apart as a whole would be slow. */
function lineAround(text: string, spans: Span[], width: number): Excerpt {
  const place = spans[0]?.start ?? 0;
  const start = graphemeBorder(text, place - width * 3);
  const end = graphemeBorder(text, place + width * 3);
  const before = start > 0 ? "…" : "";
  const after = end < text.length ? "…" : "";
  const moved = (to: number) => before.length + onOneLine(text.slice(start, to)).length;
  const inside = clip(spans, { start, end }, 0);
  return {
    text: before + onOneLine(text.slice(start, end)).trimEnd() + after,
    spans: inside.map((span) => ({ start: moved(span.start), end: moved(span.end) })),
  };
}

/** White space and control characters would break the line or the terminal: one space for each run, none in front. */
const onOneLine = (text: string) => text.replace(/[\s\p{Cc}]+/gu, " ").trimStart();
