/**
 * One kind of secret. A rule is data: wherever one of its hints stands, the pattern is tried at that very place, and
 * nowhere else. So a hint is the literal beginning of every match (three characters at least), a pattern needs no
 * search of its own, and its quantifiers are bounded.
 */
export interface SecretRule {
  /** Names the secret in its mark: `[redacted:id]`. */
  id: string;
  hints: readonly string[];
  /** What the first group matched stays in the text (a key's name, a scheme); the rest of the match goes. */
  pattern: RegExp;
  /** The hint counts only where no word runs into it: `sk-` is a key, the end of `task-` is not. */
  wordStart?: boolean;
  /** The match counts only where no letter or digit follows it. */
  wordEnd?: boolean;
  /** The last word, for what no pattern can tell: does this look like a secret in this context? */
  accept?: (secret: string, context: string) => boolean;
}
