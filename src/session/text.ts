/** Small rules about text that several parts of the record share. */

const plainAscii = /^[\x00-\x7f]*$/;

export function isAscii(text: string): boolean {
  return plainAscii.test(text);
}

export function codePoints(text: string): number {
  if (isAscii(text)) return text.length;
  let count = 0;
  for (let at = 0; at < text.length; at += text.codePointAt(at)! > 0xffff ? 2 : 1) count++;
  return count;
}

/** So much text is segmented at once: each step of a segmenter takes time that grows with the text it was given. */
const segmentedAtOnce = 1024;

/** Making a segmenter takes longer than starting most commands, and texts that need one are rare. */
export function* graphemesOf(text: string): Generator<{ segment: string; index: number }> {
  const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
  let room = segmentedAtOnce;
  for (let at = 0; at < text.length;) {
    const splitsPair = (text.charCodeAt(at + room - 1) & 0xfc00) === 0xd800;
    const piece = text.slice(at, at + room + (splitsPair ? 1 : 0));
    const isLast = at + piece.length === text.length;
    let next = at;
    for (const { segment, index } of segmenter.segment(piece)) {
      // What stands at the end of a piece may go on behind it.
      if (!isLast && index + segment.length === piece.length) break;
      yield { segment, index: at + index };
      next = at + index + segment.length;
    }
    room = next === at ? 2 * room : segmentedAtOnce;
    at = next;
  }
}

/**
 * Characters of which each is a grapheme beside any other of them, but for CR LF: Latin, Greek, Cyrillic, most punctuation, arrows,
 * lines and CJK.
 */
const plainLetters =
  /^[\x00-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205f\u2070-\u20cf\u2100-\u23ff\u2500-\u25ff\u3001-\u3029\u3041-\u3096\u30a0-\u30ff\u3400-\u4dbf\u4e00-\u9fff]*$/;

/** Whether a cut between two of its letters splits no grapheme, but for CR LF. */
export function isPlain(text: string): boolean {
  return plainLetters.test(text);
}

/** Of such characters only CR LF is a grapheme of more than one. */
function cutPlain(text: string, limit: number): string {
  const splitsLineEnd = text[limit - 1] === "\r" && text[limit] === "\n";
  return text.slice(0, splitsLineEnd ? limit - 1 : limit);
}

/** The longest beginning of `text` that does not end inside a grapheme and whose graphemes have at most this size. */
function cutGraphemes(text: string, limit: number, sizeOf: (grapheme: string) => number): string {
  let size = 0;
  let end = 0;
  for (const { segment, index } of graphemesOf(text)) {
    size += sizeOf(segment);
    if (size > limit) break;
    end = index + segment.length;
  }
  return text.slice(0, end);
}

/** What came of a subagent is told in so many at most. */
export const maxSummaryChars = 300;

/** The longest beginning of `text` within `limit` code points that does not end inside a grapheme. */
export function cutToCodePoints(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return isPlain(text.slice(0, limit + 1)) ? cutPlain(text, limit) : cutGraphemes(text, limit, codePoints);
}

/** The longest beginning of `text` within `limit` bytes of UTF-8 that does not end inside a grapheme. */
export function cutToBytes(text: string, limit: number): string {
  if (utf8Length(text) <= limit) return text;
  const beginning = text.slice(0, limit + 64);
  return isAscii(beginning) ? cutPlain(beginning, limit) : cutGraphemes(beginning, limit, utf8Length);
}

/** Bytes of `text` in UTF-8; a lone surrogate counts as the three bytes of its replacement. */
export function utf8Length(text: string): number {
  return Buffer.byteLength(text);
}

/** One line: every run of white space, line breaks among them, becomes a space. */
export function asOneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
