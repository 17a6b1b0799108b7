import type { Colors, Paint } from "./colors.ts";

/** Longer lines are data, not prose: they stay as they are. */
const longestLine = 2_000;

/**
 * A line of markdown with bold, emphasis, code and links as a terminal shows them. `__` stays: in this field it is a name
 * more often than bold. Looks at each character a fixed number of times.
 */
export function paintInline(colors: Colors, line: string): string {
  if (line.length > longestLine) return line;
  let painted = "";
  for (let at = 0; at < line.length;) {
    const span =
      codeAt(colors, line, at) ?? boldAt(colors, line, at) ?? emphasisAt(colors, line, at) ?? linkAt(colors, line, at);
    painted += span?.text ?? line[at]!;
    at = span?.end ?? at + 1;
  }
  return painted;
}

interface Span {
  text: string;
  end: number;
}

function codeAt({ cyan }: Colors, line: string, at: number): Span | undefined {
  if (line[at] !== "`") return undefined;
  let ticks = 1;
  while (line[at + ticks] === "`") ticks++;
  const fence = "`".repeat(ticks);
  const close = line.indexOf(fence, at + ticks);
  if (close < 0 || line[close + ticks] === "`") return { text: fence, end: at + ticks };
  return { text: paintWords(cyan, line.slice(at + ticks, close).trim()), end: close + ticks };
}

function boldAt(colors: Colors, line: string, at: number): Span | undefined {
  if (!line.startsWith("**", at) || !opens(line, at, at + 2)) return undefined;
  const close = line.indexOf("**", at + 2);
  if (close < 0 || !closes(line, close, close + 2)) return { text: "**", end: at + 2 };
  return { text: paintWords(colors.bold, line.slice(at + 2, close)), end: close + 2 };
}

function emphasisAt({ italic }: Colors, line: string, at: number): Span | undefined {
  const mark = line[at]!;
  if ((mark !== "*" && mark !== "_") || line[at + 1] === mark || !opens(line, at, at + 1)) return undefined;
  const close = line.indexOf(mark, at + 1);
  if (close < 0 || !closes(line, close, close + 1)) return { text: mark, end: at + 1 };
  return { text: paintWords(italic, line.slice(at + 1, close)), end: close + 1 };
}

function linkAt({ underline, dim }: Colors, line: string, at: number): Span | undefined {
  if (line[at] !== "[") return undefined;
  const middle = line.indexOf("](", at);
  const end = middle < 0 ? -1 : line.indexOf(")", middle);
  const text = line.slice(at + 1, middle);
  if (end < 0 || text === "" || text.includes("[")) return { text: "[", end: at + 1 };
  const target = line.slice(middle + 2, end);
  const targetText = target === text ? "" : ` ${paintWords(dim, `(${target})`)}`;
  return { text: `${paintWords(underline, text)}${targetText}`, end: end + 1 };
}

/** A mark opens before a letter and behind no letter: `src/*.ts` and `snake_case` are neither. */
function opens(line: string, start: number, end: number): boolean {
  return (start === 0 || /[\s("'[{—–-]/.test(line[start - 1]!)) && /\S/.test(line[end] ?? " ");
}

function closes(line: string, start: number, end: number): boolean {
  return /\S/.test(line[start - 1] ?? " ") && (end >= line.length || /[\s.,;:!?)"'\]}—–-]/.test(line[end]!));
}

/** Word by word, so that lines may end between them without a colour that goes on. */
function paintWords(paint: Paint, text: string): string {
  return text.replace(/\S+/g, (each) => paint(each));
}
