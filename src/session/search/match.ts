import { fold, wordUnits } from "./fold.ts";
import { unfolder, type TextSpan } from "./places.ts";
import type { SearchQuery, SearchTerm } from "./query.ts";

export type { TextSpan } from "./places.ts";

/** Where the terms of the query stand in the text, in order and without overlaps; null when one of them is missing. */
export function matchEntry(query: SearchQuery, text: string): TextSpan[] | null {
  const folded = fold(text);
  const spans: TextSpan[] = [];
  for (const term of query.terms) {
    const matches = occurrences(term, folded);
    if (matches.length === 0) return null;
    for (const span of matches) spans.push(span);
  }
  return mergeSpans(spans).map(unfolder(text));
}

/** Words hold letters, digits and marks only, so that they stand for themselves in a pattern. */
function occurrences({ words, prefix }: SearchTerm, folded: string): TextSpan[] {
  const termPattern = words.join(`[^${wordUnits}]+`) + (prefix ? `[${wordUnits}]*` : "");
  const pattern = new RegExp(`(?<![${wordUnits}])${termPattern}(?![${wordUnits}])`, "g");
  const spans: TextSpan[] = [];
  for (let match = pattern.exec(folded); match; match = pattern.exec(folded)) {
    spans.push({ start: match.index, end: pattern.lastIndex });
    // A phrase may begin again inside itself.
    pattern.lastIndex = match.index + 1;
  }
  return spans;
}

function mergeSpans(spans: TextSpan[]): TextSpan[] {
  spans.sort((a, b) => a.start - b.start || a.end - b.end);
  const result: TextSpan[] = [];
  for (const span of spans) {
    const last = result.at(-1);
    if (last && span.start < last.end) last.end = Math.max(last.end, span.end);
    else result.push(span);
  }
  return result;
}
