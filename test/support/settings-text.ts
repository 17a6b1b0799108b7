import fc from "fast-check";

// Settings as people write them.

/** JSON as people write it: any space, line ends and comments between any two signs. */
export const space = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("", " ", "\n", "\r\n", "\n  ", "\t", "  ") },
  { weight: 1, arbitrary: fc.constantFrom("// a, note\n", '/* {[" */', " \n", " \r\n  ") },
);
export const someOther = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value)),
  fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value, null, 2)),
);

export function listOf(items: fc.Arbitrary<string>, open: string, close: string): fc.Arbitrary<string> {
  return fc
    .tuple(fc.array(fc.tuple(space, items, space), { maxLength: 3 }), space, fc.boolean())
    .map(([all, empty, hasComma]) => {
      const inside = all.map(([before, item, after]) => before + item + after).join(",");
      return `${open}${all.length === 0 ? empty : inside + (hasComma ? "," : "")}${empty}${close}`;
    });
}

export const member = (key: string, value: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(space, value).map(([before, text]) => `${JSON.stringify(key)}:${before}${text}`);
/** An object with each of these at most once. */
export function objectOf(parts: fc.Arbitrary<string>[]): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.shuffledSubarray(parts.map((_, at) => at)),
      fc.tuple(...parts),
      fc.array(space, { minLength: 9, maxLength: 9 }),
      fc.boolean(),
    )
    .map(([chosen, texts, spaces, hasComma]) => {
      const inside = chosen
        .map((at, index) => `${spaces[index] ?? ""}${texts[at]}${spaces[index + 4] ?? ""}`)
        .join(",");
      return `{${inside}${hasComma && chosen.length > 0 ? "," : ""}${spaces[8]}}`;
    });
}
