/** The mark that opens or closes a fence. The one place that knows what is one. */
export interface FenceMark {
  /** The backticks or tildes themselves. */
  signs: string;
  /** What stands behind them. */
  info: string;
  /** Nothing does: it can close a fence. */
  isBare: boolean;
}

/** Behind backticks no other may stand in the line. */
const fence = /^[ \t]*(?:(`{3,})([^`]*)|(~{3,})(.*))$/s;

export function fenceMark(line: string): FenceMark | undefined {
  const match = fence.exec(line);
  if (!match) return undefined;
  const [, ticks, infoOfTicks, tildes, infoOfTildes] = match;
  const info = infoOfTicks ?? infoOfTildes!;
  return { signs: ticks ?? tildes!, info, isBare: isBlankLine(info) };
}

export function isTilde({ signs }: FenceMark): boolean {
  return signs.startsWith("~");
}

export function isBlankLine(line: string): boolean {
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code !== 32 && code !== 9) return false;
  }
  return true;
}
