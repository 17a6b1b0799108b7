/** A text as one word of a command that a person may copy into a shell. */
export function shellWord(text: string): string {
  return /^[\w./:=@%+,-]+$/.test(text) ? text : singleQuoted(text);
}

/** A shell reads nothing in it but the text. */
export function singleQuoted(text: string): string {
  return `'${insideSingleQuotes(text)}'`;
}

/** A text as it stands between single quotes that are there already. */
export function insideSingleQuotes(text: string): string {
  return text.replaceAll("'", String.raw`'\''`);
}
