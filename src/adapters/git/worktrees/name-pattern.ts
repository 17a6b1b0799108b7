/**
 * Whether a name fits a pattern of `*` and `?`. Also matches names that begin with a dot, as git's ignore rules do. A
 * repository chooses its patterns, and as a regular expression `*a*a*a*b` would take longer than anybody waits: here, only
 * the last `*` is ever tried again.
 */
export function nameFits(pattern: string, name: string): boolean {
  const wanted = Array.from(pattern);
  const given = Array.from(name);
  let at = 0;
  let star = -1;
  let starAt = 0;
  for (let place = 0; place < given.length;) {
    if (wanted[at] === "*") {
      star = at++;
      starAt = place;
    } else if (at < wanted.length && (wanted[at] === "?" || wanted[at] === given[place])) {
      at++;
      place++;
    } else if (star >= 0) {
      at = star + 1;
      place = ++starAt;
    } else return false;
  }
  while (wanted[at] === "*") at++;
  return at === wanted.length;
}
