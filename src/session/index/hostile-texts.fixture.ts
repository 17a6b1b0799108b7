const asItems = (line: string): string[] => line.split("|");

/** Texts that would do harm if a reader of TOON took them for something else than text. */
export const hostileTexts = [
  asItems(
    'a,b|say "hi"|key: value|[3]|{x}|a[2]{b,c}:|- item|-|#note|# a|\\|\\\\|\\n|\\u0041|"|""|,|,,|:|null|true|TRUE',
  ),
  asItems("0|1|-1|+1|01|1.5|1e5|1E+5|-0|.5|1.|0x10|NaN|Infinity|1e999|12345678|1234e567|%|%20|%25|a%20b|(none)|false"),
  asItems("👩‍👩‍👧‍👦 🎉|עברית \u202eRTL|東京|é|e\u0301|\ufeffbom|nbsp\u00a0|\u2028|\u0085|\u007f|sessions[1]:"),
  ["", " ", "  lead", "trail  ", "\ttab", "tab\t", "a\tb", "\n", "two\nlines", "\r\n", "\0", "\u0001", "\u001f", "|"],
  ["\nby_agent: []\n", "\n  x,failed,run,", ",failed,", ",run,", "x".repeat(300)],
].flat();
