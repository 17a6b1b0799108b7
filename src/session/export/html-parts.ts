import { style } from "./html-style.ts";
import { Markup, markup, type Content } from "./markup.ts";

// What every exported page is made of.

/** A page that asks for nothing else: no script, no outside request, each text escaped. */
export function page(title: string, content: Content): string {
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${new Markup(style)}</style>
</head>
<body><main>
${content}
</main></body>
</html>
`.text;
}

export function toolTable(tools: readonly { name: string; calls: number; failed: number }[]): Markup {
  const most = tools.reduce((sum, { calls }) => Math.max(sum, calls), 0);
  const rows = tools.map(
    ({ name, calls, failed }) =>
      markup`<td>${name}</td>${numberCell(String(calls))}${numberCell(failed === 0 ? "" : String(failed))}${barCell(calls / most)}`,
  );
  return table(["tool", "calls", "failed", ""], rows);
}

/** Columns of figures, whose heads stand above them. */
const figures: ReadonlySet<string> = new Set(
  "sessions,calls,failed,failed calls,errors,rounds,tokens,cost,duration,took".split(","),
);

export function table(heads: readonly string[], rows: readonly Markup[]): Markup {
  const lines = rows.map((cells) => markup`<tr>${cells}</tr>\n`);
  const headCells = heads.map((head) =>
    figures.has(head) ? markup`<th class="number">${head}</th>` : markup`<th>${head}</th>`,
  );
  return markup`<div class="scroll"><table><tr>${headCells}</tr>
${lines}</table></div>`;
}

export function numberCell(text: string): Markup {
  return markup`<td class="number">${text}</td>`;
}

/** `share` is from 0 to 1; anything else is no bar. */
export function barCell(share: number, of: "cost" | "time" = "cost"): Markup {
  if (!(share > 0)) return markup`<td class="bar"></td>`;
  const width = `${(Math.min(1, share) * 100).toFixed(1)}%`;
  return markup`<td class="bar"><i class="${of}" style="width:${width}"></i></td>`;
}

/** A part of a whole, from where it begins to where it ends. Both are shares from 0 to 1. */
export function spanCell(from: number, share: number): Markup {
  if (!(from >= 0 && from <= 1)) return markup`<td class="bar"></td>`;
  const length = Math.max(0, Math.min(1 - from, share || 0));
  const percent = (part: number): string => `${(part * 100).toFixed(1)}%`;
  return markup`<td class="bar"><i class="time" style="width:${percent(length)};margin-left:${percent(Math.min(from, 0.99))}"></i></td>`;
}
