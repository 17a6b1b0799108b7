/** Finds a name among these as it is written, or without regard to case where only one is like it. */
export function nameFinder(names: Iterable<string>): (name: string) => string | undefined {
  const exact = new Set(names);
  const alike = new Map<string, string | undefined>();
  for (const name of exact) {
    const key = name.toLowerCase();
    alike.set(key, alike.has(key) ? undefined : name);
  }
  return (name) => (exact.has(name) ? name : alike.get(name.toLowerCase()));
}
