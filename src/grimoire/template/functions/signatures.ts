/** What a function takes. Arguments are counted before any of them is evaluated. */
export interface Signature {
  minArgs: number;
  maxArgs: number;
  /** The first argument must be a text. */
  textFirst: boolean;
}

export const signatures: ReadonlyMap<string, Signature> = new Map([
  ...signature("html js print println urlquery", 0, Infinity),
  ...signature("and call eq index or slice", 1, Infinity),
  ...signature("json len not raw", 1),
  ...signature("default ge gt le lt ne", 2),
  ...signature("printf", 1, Infinity, true),
  ...signature("include", 1, 2, true),
]);

function signature(names: string, minArgs: number, maxArgs = minArgs, textFirst = false): [string, Signature][] {
  return names.split(" ").map((name) => [name, { minArgs, maxArgs, textFirst }]);
}
