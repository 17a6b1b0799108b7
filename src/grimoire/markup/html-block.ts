/** What begins a block of HTML in which nothing is Markdown, and what ends it: in the same line, or in a later one. */
const blocks: readonly { name: string; begin: RegExp; end: RegExp; close: string }[] = [
  { name: "comment", begin: /^ {0,3}<!--/, end: /-->/, close: "-->" },
  { name: "block <pre>", begin: /^ {0,3}<pre(?:[ \t>]|$)/i, end: /<\/pre>/i, close: "</pre>" },
  { name: "block <script>", begin: /^ {0,3}<script(?:[ \t>]|$)/i, end: /<\/script>/i, close: "</script>" },
  { name: "block <style>", begin: /^ {0,3}<style(?:[ \t>]|$)/i, end: /<\/style>/i, close: "</style>" },
  { name: "block <textarea>", begin: /^ {0,3}<textarea(?:[ \t>]|$)/i, end: /<\/textarea>/i, close: "</textarea>" },
];

/** What a block of HTML is that begins with a line; undefined when none does, or it ends in the same line. */
export function openHtmlBlock(
  line: string,
): { name: string; close: string; ends: (line: string) => boolean } | undefined {
  const block = line.includes("<") ? blocks.find(({ begin }) => begin.test(line)) : undefined;
  if (!block) return undefined;
  const { name, end, close } = block;
  return end.test(line) ? undefined : { name, close, ends: (each) => end.test(each) };
}
