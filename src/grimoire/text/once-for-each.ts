/** A function that does its work once for each key; with `most`, for as many of the latest keys. */
export function onceForEach<A, R>(
  make: (argument: A) => R,
  keyOf: (argument: A) => string,
  most = Infinity,
): (argument: A) => R {
  const done = new Map<string, R>();
  return (argument) => {
    const key = keyOf(argument);
    let result = done.get(key);
    if (result === undefined) {
      if (done.size >= most) done.clear();
      done.set(key, (result = make(argument)));
    }
    return result;
  };
}
