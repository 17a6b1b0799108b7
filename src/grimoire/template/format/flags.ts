/** What stands between the percent sign and the verb. */
export class Flags {
  width: number | undefined;
  precision: number | undefined;
  minus = false;
  plus = false;
  sharp = false;
  space = false;
  zero = false;
  /** %#v: a flag of its own. */
  sharpV = false;
}

/** A text filled up to the width; characters count, not bytes. */
export function pad(text: string, flags: Flags, fill = flags.zero ? "0" : " "): string {
  if (!flags.width) return text;
  const missing = flags.width - characterCount(text);
  if (missing <= 0) return text;
  const padding = fill.repeat(missing);
  return flags.minus ? text + padding : padding + text;
}

/** A text cut to the precision. */
export function truncate(text: string, { precision }: Flags): string {
  if (precision === undefined || precision >= text.length) return text;
  let end = 0;
  for (let count = 0; count < precision && end < text.length; count++) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  return text.slice(0, end);
}

function characterCount(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; count++) at += text.codePointAt(at)! > 0xffff ? 2 : 1;
  return count;
}
