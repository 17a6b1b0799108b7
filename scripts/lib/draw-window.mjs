/** @typedef {{ text: string, color?: string | undefined, isBold?: boolean, isDim?: boolean }} Span */

const cell = { width: 8.4, height: 19, size: 14 };
const edge = { side: 18, top: 46, bottom: 16 };

/**
 * A terminal's window with these lines, as SVG. Each span says how wide it is, so that columns align in any font.
 * @param {Span[][]} lines
 * @param {{ title: string, columns: number }} options
 */
export function drawWindow(lines, { title, columns }) {
  const width = Math.ceil(columns * cell.width + 2 * edge.side);
  const height = lines.length * cell.height + edge.top + edge.bottom;
  const rows = lines.flatMap((spans, row) =>
    drawRow(cutSpans(spans, columns), edge.top + row * cell.height + cell.size),
  );
  const dots = ["#ff5f57", "#febc2e", "#28c840"].map(
    (color, at) => `<circle cx="${edge.side + 6 + at * 20}" cy="20" r="6" fill="${color}"/>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escape(title)}</title>`,
    `<rect width="${width}" height="${height}" rx="10" fill="#14171c"/>`,
    ...dots,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${cell.size}" xml:space="preserve">`,
    `<text x="${width / 2}" y="25" fill="#8b949e" text-anchor="middle">${escape(title)}</text>`,
    ...rows,
    "</g>",
    "</svg>\n",
  ].join("\n");
}

/** A line that is wider than the window ends in `…`. @param {Span[]} spans @param {number} columns @returns {Span[]} */
function cutSpans(spans, columns) {
  let room = columns;
  return spans.flatMap((span) => {
    const letters = [...span.text];
    if (room <= 0) return [];
    const text = letters.length <= room ? span.text : `${letters.slice(0, room - 1).join("")}…`;
    room -= letters.length;
    return { ...span, text };
  });
}

/** @param {Span[]} spans @param {number} y */
function drawRow(spans, y) {
  let column = 0;
  return spans.flatMap(({ text, color = "#d7dde4", isBold, isDim }) => {
    const x = (edge.side + column * cell.width).toFixed(1);
    const length = [...text].length;
    column += length;
    if (text.trim() === "") return [];
    const weight = isBold ? ' font-weight="bold"' : "";
    const opacity = isDim ? ' opacity="0.6"' : "";
    const wide = (length * cell.width).toFixed(1);
    return `<text x="${x}" y="${y}" textLength="${wide}" fill="${color}"${weight}${opacity}>${escape(text)}</text>`;
  });
}

/** @param {string} text */
function escape(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
