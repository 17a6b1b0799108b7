/** A part of a line, with where it begins in it. */
export interface Part {
  text: string;
  at: number;
}

/** The parts of a line between its arrows, `→` or ` -> `. An arrow in a code span or a template is none. */
export function splitAtArrows(line: string): Part[] {
  const parts: Part[] = [];
  let from = 0;
  const cut = (at: number, length: number): void => {
    parts.push(trimmed(line.slice(from, at), from));
    from = at + length;
  };
  for (let at = 0; at < line.length; at++) {
    const char = line[at];
    if (char === "`" || line.startsWith("{{", at)) at = endOfSpan(line, at) - 1;
    else if (char === "→") cut(at, 1);
    else if (char === "-" && line[at + 1] === ">" && isBlank(line[at - 1]) && isBlank(line[at + 2])) cut(at, 2);
  }
  return [...parts, trimmed(line.slice(from), from)];
}

/** `a, b` */
export function splitAtCommas({ text, at }: Part): Part[] {
  let from = at;
  return text.split(",").map((each) => {
    const part = trimmed(each, from);
    from += each.length + 1;
    return part;
  });
}

function trimmed(text: string, at: number): Part {
  return { text: text.trim(), at: at + (text.length - text.trimStart().length) };
}

function isBlank(char: string | undefined): boolean {
  return char === undefined || char === " " || char === "\t";
}

/** Where a code span or a template that begins here has ended; the end of the line when it does not. */
function endOfSpan(line: string, start: number): number {
  const isTemplate = line[start] === "{";
  let width = 0;
  while (line[start + width] === "`") width++;
  const close = isTemplate ? "}}" : "`".repeat(width);
  const end = line.indexOf(close, start + (isTemplate ? 2 : width));
  return end < 0 ? line.length : end + close.length;
}
