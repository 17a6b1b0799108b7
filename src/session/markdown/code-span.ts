/** Given where a run of backticks begins and ends: where the code span ends that it opens, or -1. */
export type SpanEnds = (start: number, end: number) => number;

/**
 * Code spans, which never go over a line's end. Runs must be asked for from left to right, outside of spans already found. Knowing the last
 * run of each length saves looking for an end that is not there, so that all questions together take linear time.
 */
export function spanEnds(line: string, notBesideCode?: RegExp): SpanEnds {
  let lastOfLength: Map<number, number> | undefined;
  let stop = -1;
  return (start, end) => {
    lastOfLength ??= excludesCode(line, notBesideCode) ? new Map() : runsOf(line);
    const length = end - start;
    if ((lastOfLength.get(length) ?? -1) < end) return -1;
    // The next line end is looked for again only when it was passed.
    if (stop < end) {
      const newline = line.indexOf("\n", end);
      stop = newline < 0 ? line.length : newline;
    }
    for (let at = line.indexOf("`", end); at >= 0 && at < stop;) {
      let close = at;
      while (line.charCodeAt(close) === 96) close++;
      if (close - at === length) return close;
      at = line.indexOf("`", close);
    }
    return -1;
  };
}

/** A return inside a line cannot stand in code: it is written as an entity, and code has none. */
function excludesCode(line: string, notBesideCode: RegExp | undefined): boolean {
  return /\r(?!\n|$)/.test(line) || (notBesideCode?.test(line) ?? false);
}

/** Where the last run of each length begins. */
function runsOf(line: string): Map<number, number> {
  const last = new Map<number, number>();
  for (let at = line.indexOf("`"); at >= 0;) {
    let end = at;
    while (line.charCodeAt(end) === 96) end++;
    last.set(end - at, at);
    at = line.indexOf("`", end);
  }
  return last;
}
