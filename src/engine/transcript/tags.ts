/** The text without what stands between two tags. Looks at each character a fixed number of times. */
export function withoutTag(text: string, name: string): string {
  const [open, close] = [`<${name}>`, `</${name}>`];
  let start = text.indexOf(open);
  if (start < 0) return text;
  let result = "";
  let at = 0;
  while (start >= 0) {
    const end = text.indexOf(close, start);
    if (end < 0) break;
    result += text.slice(at, start);
    at = end + close.length;
    start = text.indexOf(open, at);
  }
  return result + text.slice(at);
}

/** What stands between two tags; undefined when they are not there. */
export function betweenTags(text: string, name: string): string | undefined {
  const start = text.indexOf(`<${name}>`);
  const from = start + name.length + 2;
  const end = start < 0 ? -1 : text.indexOf(`</${name}>`, from);
  return end < 0 ? undefined : text.slice(from, end).trim();
}
