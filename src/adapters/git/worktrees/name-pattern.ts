/**
 * Whether a name fits a pattern of `*` and `?`. Also matches names that begin with a dot, as git's ignore rules do. A
 * repository chooses its patterns, and as a regular expression `*a*a*a*b` would take longer than anybody waits: here, only
 * the last `*` is ever tried again.
 */
export function matchesPattern(pattern: string, name: string): boolean {
  const pieces = Array.from(pattern);
  const letters = Array.from(name);
  let at = 0;
  let star = -1;
  let starPlace = 0;
  for (let place = 0; place < letters.length;) {
    if (pieces[at] === "*") {
      star = at++;
      starPlace = place;
    } else if (at < pieces.length && (pieces[at] === "?" || pieces[at] === letters[place])) {
      at++;
      place++;
    } else if (star >= 0) {
      at = star + 1;
      place = ++starPlace;
    } else return false;
  }
  while (pieces[at] === "*") at++;
  return at === pieces.length;
}
