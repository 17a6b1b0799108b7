const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };
const blocks = /^\/?(?:p|div|br|li|ul|ol|tr|table|h[1-6]|pre|section|article|header|footer|blockquote|hr|dt|dd)$/;

/** The text of a page: without tags, scripts and styles. One pass, so that no page takes long. */
export function pageText(html: string): string {
  const parts: string[] = [];
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    parts.push(html.slice(at, open < 0 ? undefined : open));
    if (open < 0) break;
    if (html.startsWith("<!--", open)) {
      at = after(html, "-->", open);
      continue;
    }
    const close = html.indexOf(">", open);
    if (close < 0) break;
    const name = (
      /^\/?[a-z][a-z0-9]*/i.exec(html.slice(open + 1, Math.min(close, open + 40)))?.[0] ?? ""
    ).toLowerCase();
    if (blocks.test(name)) parts.push("\n");
    at = name === "script" || name === "style" ? afterElement(html, name, close) : close + 1;
  }
  return decodeEntities(parts.join(""))
    .split("\n")
    .map((line) => line.replace(/[ \t\r]+/g, " ").trim())
    .filter((line, index, lines) => line !== "" || lines[index - 1] !== "")
    .join("\n")
    .trim();
}

/** Behind the end of an element that holds no markup, in capital letters or small ones. */
function afterElement(html: string, name: "script" | "style", from: number): number {
  const end = name === "script" ? /<\/script/gi : /<\/style/gi;
  end.lastIndex = from;
  const found = end.exec(html);
  return found ? after(html, ">", found.index) : html.length;
}

/** Behind a text; at the end when it does not come. */
function after(html: string, text: string, from: number): number {
  const found = html.indexOf(text, from);
  if (found < 0) return html.length;
  const close = html.indexOf(">", found);
  return close < 0 ? html.length : close + 1;
}

function decodeEntities(text: string): string {
  return text.replace(/&(#x?[0-9a-f]{1,6}|[a-z]{2,5});/gi, (whole, name: string) => {
    if (!name.startsWith("#")) return entities[name.toLowerCase()] ?? whole;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000) ? String.fromCodePoint(code) : whole;
  });
}
