import type { Screen } from "../context.ts";
import type { Paint } from "./colors.ts";
import { layOut, type Column } from "./table-layout.ts";
import { fit, fitMiddle, padTo, widthOf } from "./width.ts";
import { wrapWords } from "./wrap.ts";

export type { Column };

/** A cell that is painted is measured and cut before that, so that no colour loses its end. */
export type Cell = string | { text: string; paint: Paint };

const gap = "  ";

/** Aligned columns within the width of the terminal. In a pipe each row is one line, for programs that read lines. */
export function table(
  screen: Omit<Screen, "nowMs">,
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
): string {
  const widths = columns.map(({ title }, at) =>
    rows.reduce((most, row) => Math.max(most, widthOf(textOf(row[at]))), widthOf(title)),
  );
  const ids = rows.map(([first]) => widthOf(textOf(first)));
  const layout = screen.onTerminal
    ? layOut(columns, widths, ids, screen.width)
    : shortenText(columns, widths, screen.width);
  const visibleColumns = columns.flatMap((column, at) => {
    const width = layout[at];
    return width === undefined ? [] : [{ column, at, width }];
  });
  const rowLines = (cells: readonly Cell[]): string[] => {
    const pieces = visibleColumns.map(({ column, at, width }) =>
      piecesOf(textOf(cells[at]), width, column, screen.onTerminal),
    );
    const lines: string[] = [];
    // What is longer than its column has the line to itself; the others follow below.
    const isHanging = pieces[0]!.length === 1 && widthOf(pieces[0]![0]!) > visibleColumns[0]!.width;
    if (isHanging) lines.push(paintCell(cells[visibleColumns[0]!.at], pieces[0]!.shift()!));
    const height = Math.max(isHanging ? 0 : 1, ...pieces.map((each) => each.length));
    for (let row = 0; row < height; row++) {
      const parts = visibleColumns.map(({ column, at, width }, index) => {
        const piece = pieces[index]![row] ?? "";
        const text = paintCell(cells[at], piece);
        if (column.align === "right") return " ".repeat(Math.max(0, width - widthOf(piece))) + text;
        return index === visibleColumns.length - 1 ? text : padTo(text, width);
      });
      lines.push(parts.join(gap).trimEnd());
    }
    return lines.filter((each) => each !== "");
  };
  // Columns without titles have no heading.
  const heading = columns.map(({ title }): Cell => ({ text: title, paint: screen.colors.dim }));
  const hasTitles = columns.some(({ title }) => title !== "");
  return [...(hasTitles ? [heading] : []), ...rows].flatMap(rowLines).join("\n");
}

function textOf(cell: Cell | undefined): string {
  return typeof cell === "object" ? cell.text : (cell ?? "");
}

function paintCell(cell: Cell | undefined, piece: string): string {
  return typeof cell === "object" && piece !== "" ? cell.paint(piece) : piece;
}

/** The lines of one cell. */
function piecesOf(text: string, width: number, { isId, isPath, wraps }: Column, onTerminal: boolean): string[] {
  if (isId || widthOf(text) <= width) return text === "" ? [] : [text];
  if (!onTerminal || wraps === undefined) return [isPath ? fitMiddle(text, width) : fit(text, width)];
  const lines = wrapWords(text, width);
  if (lines.length <= wraps) return lines;
  return [...lines.slice(0, wraps - 1), fit(lines.slice(wraps - 1).join(" "), width)];
}

/** Only the column that wraps elsewhere is cut, and nothing is left out. */
function shortenText(columns: readonly Column[], natural: readonly number[], width: number): number[] {
  const excess = natural.reduce((sum, each) => sum + each + gap.length, -gap.length) - width;
  return natural.map((each, at) =>
    columns[at]!.wraps === undefined || excess <= 0 ? each : Math.min(each, Math.max(12, each - excess)),
  );
}
