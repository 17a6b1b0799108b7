/**
 * Tokens without a tokenizer: every engine has its own, so this estimates from above what any of them would count.
 *
 * - Letters and white space: three to a token. Byte-pair tokenizers reach four and more in English prose.
 * - Digits and signs: two to a token, so that code, JSON and paths are not underrated.
 * - All else: two bytes of UTF-8 to a token. That makes 1.5 tokens of a Chinese, Japanese or Korean character, where
 *   tokenizers take about one, and 2 of an emoji.
 *
 * Additive before it is rounded up, so `estimate(a + b) <= estimate(a) + estimate(b)`: parts may be budgeted one by one.
 */
export function estimateTokens(text: string): number {
  let weight = 0;
  for (let at = 0; at < text.length; at++) weight += weightOf(text.charCodeAt(at));
  return Math.ceil(weight / weightOfToken);
}

/** The text when it is within `limit` tokens; else its beginning and then `end`, together within the limit. */
export function shorten(text: string, limit: number, end = "…"): string {
  if (estimateTokens(text) <= limit) return text;
  return beginning(text, limit - estimateTokens(end)).trimEnd() + end;
}

const weightOfToken = 6;
/** Made when a text is first cut: that takes longer than most estimates. */
let graphemes: Intl.Segmenter | undefined;

/** Looked up, because texts of megabytes are estimated while a person waits. */
const asciiWeights = Uint8Array.from({ length: 0x80 }, (_, unit) => (isLetterOrSpace(unit) ? 2 : 3));

function weightOf(unit: number): number {
  if (unit < 0x80) return asciiWeights[unit]!;
  const isHalfOfPair = unit >= 0xd800 && unit <= 0xdfff;
  return unit < 0x800 || isHalfOfPair ? 6 : 9;
}

function isLetterOrSpace(unit: number): boolean {
  const lower = unit | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);
}

/** The longest beginning within `limit` tokens that does not end inside a grapheme. */
function beginning(text: string, limit: number): string {
  let weight = 0;
  let end = 0;
  for (; end < text.length; end++) {
    weight += weightOf(text.charCodeAt(end));
    if (weight > limit * weightOfToken) break;
  }
  // What is behind the cut is not looked at: segmenting all of a long text would be slow.
  const beginningText = text.slice(0, end + 2);
  graphemes ??= new Intl.Segmenter();
  return text.slice(0, graphemes.segment(beginningText).containing(end)?.index ?? end);
}
