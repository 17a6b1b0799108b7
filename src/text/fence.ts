import { isBlankLine } from "./blank-line.ts";

/** The mark that opens or closes a fence of code in Markdown. The one place that knows what is one, and how one is written. */
export interface FenceMark {
  /** The backticks or tildes themselves. */
  signs: string;
  /** What stands behind them. */
  info: string;
  /** Nothing does: it can close a fence. */
  isBare: boolean;
  /** Characters before the signs. */
  indent: number;
}

/** Behind backticks no other may stand in the line. */
const fence = /^([ \t]*)(?:(`{3,})([^`]*)|(~{3,})(.*))$/s;

/** The mark in a line, however far it is indented. */
export function fenceMark(line: string): FenceMark | undefined {
  const match = fence.exec(line);
  if (!match) return undefined;
  const [, blanks, ticks, infoOfTicks, tildes, infoOfTildes] = match;
  const info = infoOfTicks ?? infoOfTildes!;
  return { signs: ticks ?? tildes!, info, isBare: isBlankLine(info), indent: blanks!.length };
}

/** The mark of a fence that stands in no list and no quotation: behind three spaces at most. */
export function marginFence(line: string): FenceMark | undefined {
  const mark = fenceMark(line);
  return mark && mark.indent <= 3 && !line.slice(0, mark.indent).includes("\t") ? mark : undefined;
}

/** Whether a line ends the fence that these signs opened: the same sign, as often at least, and nothing behind. */
export function closesFence(line: string, signs: string): boolean {
  const mark = marginFence(line);
  return mark !== undefined && mark.isBare && mark.signs.startsWith(signs);
}

export function isTilde({ signs }: Pick<FenceMark, "signs">): boolean {
  return signs.startsWith("~");
}

/** Signs for a fence that nothing in the text can close. */
export function fenceSigns(text: string, sign: "`" | "~" = "`"): string {
  const runs = text.match(sign === "~" ? /~{3,}/g : /`{3,}/g) ?? [];
  return sign.repeat(runs.reduce((longest, run) => Math.max(longest, run.length), 2) + 1);
}

/** The lines of a text in a fence of backticks. */
export function fenceAround(text: string, info: string): string[] {
  const ticks = fenceSigns(text);
  return [`${ticks}${info}`, ...text.trimEnd().split("\n"), ticks];
}
