/** Whether a line has nothing but spaces and tabs. */
export function isBlankLine(line: string): boolean {
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code !== 32 && code !== 9) return false;
  }
  return true;
}
