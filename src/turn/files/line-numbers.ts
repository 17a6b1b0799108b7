/** The line of each offset, from 1. Offsets ascend. One pass over the text. */
export function lineNumbersOf(text: string, offsets: readonly number[]): number[] {
  let line = 1;
  let at = text.indexOf("\n");
  return offsets.map((offset) => {
    for (; at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line++;
    return line;
  });
}
