import { fit, padTo, widthOf } from "./width.ts";

export interface Column {
  title: string;
  align?: "left" | "right";
  /** Takes what room is left, and is cut when there is too little. One column of a table has this. */
  flexible?: boolean;
}

/** Aligned columns, two spaces apart, within `width` columns of the terminal. Cells are single lines. */
export function table(columns: Column[], rows: string[][], width: number, heading: (text: string) => string): string {
  const widths = columns.map(({ title }, at) =>
    rows.reduce((most, row) => Math.max(most, widthOf(row[at] ?? "")), widthOf(title)),
  );
  const gaps = 2 * (columns.length - 1);
  const total = widths.reduce((sum, each) => sum + each, gaps);
  const flexible = columns.findIndex((column) => column.flexible);
  if (flexible >= 0 && total > width) widths[flexible] = Math.max(12, widths[flexible]! - (total - width));
  const line = (cells: string[], style: (text: string) => string): string =>
    cells
      .map((cell, at) => {
        const text = fit(cell, widths[at]!);
        if (columns[at]!.align === "right") return style(" ".repeat(widths[at]! - widthOf(text)) + text);
        return at === cells.length - 1 ? style(text) : style(padTo(text, widths[at]!));
      })
      .join("  ")
      .trimEnd();
  return [
    line(
      columns.map(({ title }) => title),
      heading,
    ),
    ...rows.map((row) => line(row, (text) => text)),
  ].join("\n");
}
