/** What stands in place of a secret: `[redacted:github-token]`, `[redacted:env NAME]`. */
const mark = /\[redacted:[\w .-]{1,200}\]/;

/** The first mark of a text, and where it begins. */
export function findMark(text: string): { mark: string; offset: number } | undefined {
  const found = mark.exec(text);
  return found ? { mark: found[0], offset: found.index } : undefined;
}
