/** The first two of a list, and how many more there are: `a, b and 3 more`. */
export function nameSome(names: readonly string[]): string {
  const [first, second] = names;
  if (names.length <= 2) return [first, second].filter((name) => name !== undefined).join(" and ");
  return `${first}, ${second} and ${names.length - 2} more`;
}
