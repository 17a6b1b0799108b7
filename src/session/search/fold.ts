/**
 * The form in which texts are compared: lower case, decomposed, without accents and compatibility forms (`Ｆｉｎé` is
 * `fine`), every word apart from the next. Scripts that put no spaces between words give a word per character, so that
 * any substring of them can be found as a phrase.
 */

/**
 * Thai, Lao, Tibetan, Myanmar; Hangul letters; Khmer; Han, Kana, Bopomofo, Yi; Hangul syllables; their rarer blocks.
 * As ranges, because a pattern of script names takes milliseconds to compile and every search would pay them.
 */
const solidBlocks =
  "\\u0e00-\\u109f\\u1100-\\u11ff\\u1780-\\u17ff\\u2e80-\\ua4cf\\ua960-\\ua97f\\ua9e0-\\ua9ff\\uaa60-\\uaa7f" +
  "\\uac00-\\ud7ff\\uf900-\\ufaff\\u{16fe0}-\\u{18dff}\\u{1aff0}-\\u{1b16f}\\u{20000}-\\u{3ffff}";
/** Folded Hangul is decomposed: a leading consonant, then vowels and final consonants. */
const hangulSyllable = "[\\u1100-\\u115f\\ua960-\\ua97f][\\u1160-\\u11ff\\ud7b0-\\ud7ff]*";
const separator = "[^\\p{ASCII}\\p{L}\\p{N}\\p{M}\\p{Co}]";
/** In folded text: what parts words (group 1), or a character that is a word by itself. */
const separatorOrSolid = new RegExp(`(${separator})|${hangulSyllable}|[${solidBlocks}][\\u3099\\u309a]*`, "gu");

/**
 * Accents, cantillation, vowel points of Hebrew and Arabic: readers expect a match with and without them. Marks of
 * other scripts are vowels and stay. Invisible format characters go too, but for the zero-width space: it parts words.
 */
const accent =
  "(?![\\u3099\\u309a])(?=\\p{M})[\\p{sc=Inherited}\\p{sc=Cyrillic}\\p{sc=Hebrew}\\p{sc=Arabic}\\p{sc=Syriac}]";
const dropped = new RegExp(`${accent}|(?!\\u200b)\\p{Cf}`, "gu");

/** Only these need work. */
const beyondAscii = /[\u0080-\uffff]+/g;

/**
 * A character beyond ASCII with what may join it when folded: marks, voicing, the later letters of a Hangul syllable, also
 * behind an invisible character, which goes. Folding such pieces one by one gives what folding the whole text gives.
 */
export const foldPieces =
  /\P{ASCII}(?:[\p{M}\uff9e\uff9f\u1160-\u11ff\ud7b0-\ud7ff\u3131-\u318e\uffa0-\uffdc]|(?!\u200b)\p{Cf})*/gu;

/** The units (UTF-16) that words consist of in a folded text, as a character class. All others part words. */
export const wordUnits = "a-z0-9\\u0080-\\uffff";

/**
 * Folds a text for a splitter that knows ASCII only: there, letters and digits and all beyond ASCII are words, the rest
 * parts them, and capitals count as small.
 */
export function splittable(text: string): string {
  return text.replaceAll("\0", " ").replace(beyondAscii, foldPiece);
}

export function fold(text: string): string {
  return splittable(text).toLowerCase();
}

/** Folds text beyond ASCII. */
export function foldPiece(text: string): string {
  const folded = text.normalize("NFKD").toLowerCase().replaceAll("ς", "σ").replace(dropped, "");
  return folded.replace(separatorOrSolid, (found, parting: string | undefined) => (parting ? " " : ` ${found} `));
}
