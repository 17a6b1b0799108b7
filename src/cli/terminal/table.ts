import type { Colors } from "./colors.ts";
import { layOut, type Column } from "./table-layout.ts";
import { fit, padTo, widthOf } from "./width.ts";
import { wrapWords } from "./wrap.ts";

export type { Column };

/** A cell that is painted is measured and cut before that, so that no colour loses its end. */
export type Cell = string | { text: string; paint: (text: string) => string };

interface Look {
  colors: Pick<Colors, "dim">;
  width: number;
  onTerminal: boolean;
}

const gap = "  ";

/** Aligned columns within the width of the terminal. In a pipe each row is one line, for programs that read lines. */
export function table(look: Look, columns: readonly Column[], rows: readonly (readonly Cell[])[]): string {
  const widths = columns.map(({ title }, at) =>
    rows.reduce((most, row) => Math.max(most, widthOf(textOf(row[at]))), widthOf(title)),
  );
  const ids = rows.map(([first]) => widthOf(textOf(first)));
  const layout = look.onTerminal ? layOut(columns, widths, ids, look.width) : shortened(columns, widths, look.width);
  const shown = columns.flatMap((column, at) => {
    const width = layout[at];
    return width === undefined ? [] : [{ column, at, width }];
  });
  const line = (cells: readonly Cell[]): string[] => {
    const pieces = shown.map(({ column, at, width }) => piecesOf(textOf(cells[at]), width, column, look.onTerminal));
    const lines: string[] = [];
    // What is longer than its column has the line to itself; the others follow below.
    const isHanging = pieces[0]!.length === 1 && widthOf(pieces[0]![0]!) > shown[0]!.width;
    if (isHanging) lines.push(painted(cells[shown[0]!.at], pieces[0]!.shift()!));
    const height = Math.max(isHanging ? 0 : 1, ...pieces.map((each) => each.length));
    for (let row = 0; row < height; row++) {
      const parts = shown.map(({ column, at, width }, index) => {
        const piece = pieces[index]![row] ?? "";
        const text = painted(cells[at], piece);
        if (column.align === "right") return " ".repeat(Math.max(0, width - widthOf(piece))) + text;
        return index === shown.length - 1 ? text : padTo(text, width);
      });
      lines.push(parts.join(gap).trimEnd());
    }
    return lines.filter((each) => each !== "");
  };
  // Columns without titles have no heading.
  const heading = columns.map(({ title }): Cell => ({ text: title, paint: look.colors.dim }));
  const isTitled = columns.some(({ title }) => title !== "");
  return [...(isTitled ? [heading] : []), ...rows].flatMap(line).join("\n");
}

function textOf(cell: Cell | undefined): string {
  return typeof cell === "object" ? cell.text : (cell ?? "");
}

function painted(cell: Cell | undefined, piece: string): string {
  return typeof cell === "object" && piece !== "" ? cell.paint(piece) : piece;
}

/** The lines of one cell. */
function piecesOf(text: string, width: number, { isId, wraps }: Column, onTerminal: boolean): string[] {
  if (isId || widthOf(text) <= width) return text === "" ? [] : [text];
  if (!onTerminal || wraps === undefined) return [fit(text, width)];
  const lines = wrapWords(text, width);
  if (lines.length <= wraps) return lines;
  return [...lines.slice(0, wraps - 1), fit(lines.slice(wraps - 1).join(" "), width)];
}

/** Only the column that wraps elsewhere is cut, and nothing is left out. */
function shortened(columns: readonly Column[], natural: readonly number[], width: number): number[] {
  const excess = natural.reduce((sum, each) => sum + each + gap.length, -gap.length) - width;
  return natural.map((each, at) =>
    columns[at]!.wraps === undefined || excess <= 0 ? each : Math.min(each, Math.max(12, each - excess)),
  );
}
