/** How many patterns one with braces may stand for. */
const maxAlternatives = 256;

export function isGlob(pattern: string): boolean {
  return /[*?{]/.test(pattern);
}

/** The folder that a pattern cannot leave: its names before the first with a sign. "" is the root. */
export function folderOfGlob(pattern: string): string {
  const parts = pattern.split("/");
  return parts.slice(0, parts.findIndex(isGlob)).join("/");
}

/**
 * Tells whether a path matches: `*` and `?` stay within a name, `**` stands for any folders, `{a,b}` for each of them. A name that begins
 * with a dot is matched like any other. Takes time linear in pattern and path, but for `**` and `*`, which multiply the two.
 */
export function globMatcher(pattern: string): (path: string) => boolean {
  const alternatives = expandBraces(pattern).map((each) => each.split("/"));
  return (path) => {
    const parts = path.split("/");
    return alternatives.some((each) => matches(each, parts, isAnyFolders, matchesName));
  };
}

function isAnyFolders(part: string): boolean {
  return part === "**";
}

function matchesName(pattern: string, name: string): boolean {
  if (!/[*?]/.test(pattern)) return pattern === name;
  return matches(
    [...pattern],
    [...name],
    (sign) => sign === "*",
    (sign, char) => sign === "?" || sign === char,
  );
}

/** The usual match with one kind of part that stands for any number of others. It goes back to the last such part alone. */
function matches<T>(
  pattern: readonly T[],
  parts: readonly T[],
  isAny: (part: T) => boolean,
  isMatch: (part: T, other: T) => boolean,
): boolean {
  let at = 0;
  let next = 0;
  let anyAt = -1;
  let retryAt = 0;
  while (next < parts.length) {
    if (at < pattern.length && isAny(pattern[at]!)) {
      anyAt = at++;
      retryAt = next;
    } else if (at < pattern.length && isMatch(pattern[at]!, parts[next]!)) {
      at++;
      next++;
    } else if (anyAt >= 0) {
      at = anyAt + 1;
      next = ++retryAt;
    } else return false;
  }
  while (at < pattern.length && isAny(pattern[at]!)) at++;
  return at === pattern.length;
}

/** All patterns without braces that one with braces stands for. Braces without a comma or an end are signs like any other. */
function expandBraces(pattern: string): string[] {
  let done: string[] = [];
  let open = [pattern];
  while (open.length > 0) {
    const next: string[] = [];
    for (const each of open) {
      const found = firstBraces(each);
      if (found) next.push(...found.choices.map((choice) => found.before + choice + found.after));
      else done.push(each);
    }
    open = next;
    if (done.length + open.length > maxAlternatives) return [pattern];
  }
  done = [...new Set(done)];
  return done;
}

/** The first braces with a comma between them and their end. Looks at each character once. */
function firstBraces(text: string): { before: string; choices: string[]; after: string } | undefined {
  const open: { start: number; commas: number[] }[] = [];
  let found: { start: number; commas: number[]; end: number } | undefined;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "{") open.push({ start: at, commas: [] });
    else if (text[at] === ",") open.at(-1)?.commas.push(at);
    else if (text[at] === "}") {
      const braces = open.pop();
      if (braces && braces.commas.length > 0 && (!found || braces.start < found.start)) found = { ...braces, end: at };
    }
  }
  if (!found) return undefined;
  const edges = [found.start, ...found.commas, found.end];
  const choices = edges.slice(1).map((edge, index) => text.slice(edges[index]! + 1, edge));
  return { before: text.slice(0, found.start), choices, after: text.slice(found.end + 1) };
}
