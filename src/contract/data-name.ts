/** What a step gives or takes, as people write it: `plan`, `plan::Plan`, `tests::Test[]`. */
export interface DataName {
  name: string;
  /** For people, but for `[]` at its end: then the value is a list. */
  type?: string;
}

export const dataNamePattern = /^[A-Za-z_][A-Za-z0-9_]{0,63}(?:::[A-Za-z][A-Za-z0-9_]{0,63}(?:\[\])?)?$/;

/** Undefined when the text is not of this form. */
export function readDataName(text: string): DataName | undefined {
  if (!dataNamePattern.test(text)) return undefined;
  const [name, type] = text.split("::");
  return { name: name!, ...(type !== undefined && { type }) };
}

export function writeDataName({ name, type }: DataName): string {
  return type === undefined ? name : `${name}::${type}`;
}

export function isListType({ type }: DataName): boolean {
  return type?.endsWith("[]") ?? false;
}
