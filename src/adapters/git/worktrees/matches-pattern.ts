/**
 * Whether a name matches a pattern of `*` and `?`, also a name that begins with a dot, as in git's ignore rules. Takes
 * quadratic time at most, because only the last `*` is tried again: `*a*a*a*b` as a regular expression would take for ever.
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
