import { graphemesOf } from "../text.ts";

/**
 * Characters that never join a neighbour of the same kind to one grapheme: ASCII, Latin, Greek, Cyrillic, punctuation,
 * symbols, Han, Kana, Hangul syllables. Carriage return and line feed do, and are looked for on their own.
 */
const plain =
  "\\0-\\u02ff\\u0370-\\u0482\\u048a-\\u058f\\u2010-\\u2027\\u2030-\\u205e\\u2070-\\u20cf\\u2100-\\u2bff" +
  "\\u3001-\\u3029\\u3030-\\u3098\\u309b-\\ua4cf\\uac00-\\ud7a3";
const onlyPlain = new RegExp(`^(?:(?!\\r\\n)[${plain}])*$`);
const joining = `[${plain}]?(?:[^${plain}]+(?:\\r\\n|[${plain}])?)+`;
const plainOrJoining = new RegExp(`\\r\\n|[${plain}](?![^${plain}])|${joining}`, "g");

/** What a reader sees as one character each, in order. Asks ICU only where it must: its first answer takes 10 ms. */
export function graphemes(text: string): string[] {
  if (onlyPlain.test(text)) return text.split("");
  return (text.match(plainOrJoining) ?? []).flatMap((part) =>
    part.length === 1 ? part : Array.from(graphemesOf(part), ({ segment }) => segment),
  );
}

/** The last border between graphemes at or before a place. */
export function graphemeBorder(text: string, place: number): number {
  if (place <= 0 || place >= text.length) return Math.min(Math.max(0, place), text.length);
  if (onlyPlain.test(text.slice(place - 1, place + 1))) return place;
  return new Intl.Segmenter().segment(text).containing(place)?.index ?? 0;
}
