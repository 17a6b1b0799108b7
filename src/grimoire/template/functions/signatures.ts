/** What a function takes. Arguments are counted before any of them is evaluated. */
export interface Signature {
  least: number;
  most: number;
  /** The first argument must be a text. */
  textFirst: boolean;
}

export const signatures: ReadonlyMap<string, Signature> = new Map([
  ["and", takes(1, Infinity)],
  ["call", takes(1, Infinity)],
  ["html", takes(0, Infinity)],
  ["index", takes(1, Infinity)],
  ["slice", takes(1, Infinity)],
  ["js", takes(0, Infinity)],
  ["len", takes(1)],
  ["not", takes(1)],
  ["or", takes(1, Infinity)],
  ["print", takes(0, Infinity)],
  ["printf", takes(1, Infinity, true)],
  ["println", takes(0, Infinity)],
  ["urlquery", takes(0, Infinity)],
  ["eq", takes(1, Infinity)],
  ["ge", takes(2)],
  ["gt", takes(2)],
  ["le", takes(2)],
  ["lt", takes(2)],
  ["ne", takes(2)],
  ["raw", takes(1)],
  ["json", takes(1)],
  ["default", takes(2)],
  ["include", takes(1, 2, true)],
]);

function takes(least: number, most = least, textFirst = false): Signature {
  return { least, most, textFirst };
}
