import { graphemeBorder, graphemes } from "./graphemes.ts";
import type { TextSpan } from "./places.ts";

export interface Excerpt {
  /** One line of at most `width` graphemes, with `…` where something was left out. */
  text: string;
  /** The given spans, as far as they are inside. */
  spans: TextSpan[];
}

/** One line around the place where most words stand together, with a third of the spare room before it. `width` is at least 3. */
export function excerpt(text: string, spans: TextSpan[], width: number): Excerpt {
  const line = lineAround(text, spans, spans[densest(text, spans, width)], width);
  const cells = graphemes(line.text);
  const { focus } = line;
  const first = cellsBefore(cells, focus.start);
  const length = cellsBefore(cells, focus.end) - first;
  const lead = Math.max(1, Math.floor((width - length) / 3));
  const to = Math.min(cells.length, Math.max(0, first - lead) + width);
  const from = Math.max(0, to - width);
  const before = from > 0 ? "…" : "";
  const after = to < cells.length ? "…" : "";
  const start = cells.slice(0, from + before.length).join("").length;
  const visible = cells.slice(from + before.length, to - after.length).join("");
  return {
    text: before + visible + after,
    spans: clip(line.spans, { start, end: start + visible.length }, before.length - start),
  };
}

/** The first span of those that name the most different words within a line. */
function densest(text: string, spans: TextSpan[], width: number): number {
  const words = spans.map(({ start, end }) => text.slice(start, end).toLowerCase());
  const wordCounts = new Map<string, number>();
  let best = 0;
  let most = 0;
  let to = 0;
  for (let from = 0; from < spans.length; from++) {
    for (; to < spans.length && spans[to]!.end - spans[from]!.start <= width / 2; to++) {
      wordCounts.set(words[to]!, (wordCounts.get(words[to]!) ?? 0) + 1);
    }
    if (wordCounts.size > most) [best, most] = [from, wordCounts.size];
    const remaining = (wordCounts.get(words[from]!) ?? 1) - 1;
    if (remaining === 0) wordCounts.delete(words[from]!);
    else wordCounts.set(words[from]!, remaining);
    to = Math.max(to, from + 1);
  }
  return best;
}

/** How many graphemes begin before a place. */
function cellsBefore(cells: string[], place: number): number {
  let count = 0;
  for (let at = 0; at < place; count++) at += cells[count]?.length ?? Infinity;
  return count;
}

/** The parts of spans inside a window, moved by `shift`. */
function clip(spans: TextSpan[], window: TextSpan, shift: number): TextSpan[] {
  return spans
    .map(({ start, end }) => ({ start: Math.max(start, window.start), end: Math.min(end, window.end) }))
    .filter(({ start, end }) => start < end)
    .map(({ start, end }) => ({ start: start + shift, end: end + shift }));
}

/** Enough of the text to fill the line, on one line; taking a long text apart as a whole would be slow. */
function lineAround(
  text: string,
  spans: TextSpan[],
  around: TextSpan | undefined,
  width: number,
): Excerpt & { focus: TextSpan } {
  const place = around?.start ?? 0;
  const start = graphemeBorder(text, place - width * 3);
  const end = graphemeBorder(text, place + width * 3);
  const before = start > 0 ? "…" : "";
  const after = end < text.length ? "…" : "";
  const toLineOffset = (to: number) => before.length + onOneLine(text.slice(start, to)).length;
  const onLine = (span: TextSpan): TextSpan => ({ start: toLineOffset(span.start), end: toLineOffset(span.end) });
  const window = { start, end };
  return {
    text: before + onOneLine(text.slice(start, end)).trimEnd() + after,
    spans: clip(spans, window, 0).map(onLine),
    focus: clip(around ? [around] : [], window, 0).map(onLine)[0] ?? { start: 0, end: 0 },
  };
}

/** White space and control characters would break the line or the terminal: one space for each run, none in front. */
const onOneLine = (text: string) => text.replace(/[\s\p{Cc}]+/gu, " ").trimStart();
