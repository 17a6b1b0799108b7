/** Calls `compute` once for each key and keeps its results; forgets all of them when there are `maxEntries`. */
export function memoize<A, R>(
  compute: (argument: A) => R,
  keyOf: (argument: A) => string,
  maxEntries = Infinity,
): (argument: A) => R {
  const results = new Map<string, R>();
  return (argument) => {
    const key = keyOf(argument);
    let result = results.get(key);
    if (result === undefined) {
      if (results.size >= maxEntries) results.clear();
      results.set(key, (result = compute(argument)));
    }
    return result;
  };
}
