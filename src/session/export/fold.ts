/** So many lines are shown as they are. */
const mostLines = 6;

/** The first line of a long text, and how many follow; undefined where the text is short. */
export function foldText(text: string): { first: string; more: string } | undefined {
  const lines = text.trimEnd().split("\n");
  if (lines.length <= mostLines) return undefined;
  return { first: lines[0]!, more: `… ${lines.length - 1} more lines` };
}
