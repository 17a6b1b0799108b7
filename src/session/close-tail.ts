import { scan } from "./scan.ts";

/**
 * What must be appended to a body so that the next block is read as one: the end of its last line, of a fence or of a
 * comment that a person or a crash left open. Nothing is ever cut.
 */
export function closeTail(body: string): string {
  let text = body === "" || body.endsWith("\n") ? "" : "\n";
  let lastStart = -1;
  let lastKind = "";
  const open = scan(body, 0, (kind, start) => {
    if (kind !== "prose" || lastKind !== "prose") lastStart = start;
    lastKind = kind;
  });
  if (lastKind !== "prose") return text;
  const prose = body.slice(lastStart);
  if (open && open.at >= lastStart) text += `${open.mark}\n`;
  else if (prose.lastIndexOf("<!--") > prose.lastIndexOf("-->")) text += "-->\n";
  return text;
}
