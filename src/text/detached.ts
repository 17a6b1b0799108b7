/**
 * The same text in memory of its own. A part of a long text keeps all of it in memory for as long as the part is kept.
 */
export function detached(text: string): string {
  return ` ${text}`.slice(1);
}
