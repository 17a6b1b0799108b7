import type { ListedBeads } from "../../app/beads.ts";
import { labelsOf, priorityOf, statusOf, typeOf } from "../../contract/bead.ts";
import { paintPriority, paintStatus, type Look } from "./bead-words.ts";
import { clean, cleanLine } from "./clean.ts";
import { table, type Column } from "./table.ts";
import { fit, widthOf } from "./width.ts";

/** Beads as a table; `none` is what to say when there is none. */
export function viewBeads(look: Look, list: ListedBeads, none: string): string {
  const unreadable = list.unreadable.map(
    ({ place, reason }) => `${look.colors.red("unreadable")}  ${clean(place)}\n            ${clean(reason)}`,
  );
  return [list.beads.length > 0 ? viewTable(look, list) : none, ...unreadable].join("\n");
}

const titleColumn: Column = { title: "TITLE", flexible: true };
const labelColumn: Column = { title: "LABELS" };

function viewTable({ colors, width }: Look, { beads, standings }: ListedBeads): string {
  const columns = [{ title: "BEAD" }, { title: "PRI" }, { title: "STATUS" }, { title: "TYPE" }, titleColumn];
  const rows = beads.map((bead) => [
    cleanLine(bead.id),
    paintPriority(colors, priorityOf(bead)),
    paintStatus(colors, cleanLine(standings.get(bead.id) ?? statusOf(bead))),
    cleanLine(typeOf(bead)),
    cleanLine(bead.title),
  ]);
  const labels = beads.map((bead) => cleanLine(labelsOf(bead).join(" ")));
  // The title says more than labels do: they have what it leaves, or no column at all.
  const room = width - widthOfColumns(columns, rows) - gap;
  if (room < widthOf(labelColumn.title)) return table(columns, rows, width, colors.dim);
  return table(
    [...columns, labelColumn],
    rows.map((row, at) => [...row, colors.dim(fit(labels[at]!, room))]),
    width,
    colors.dim,
  );
}

const gap = 2;

/** One long title must not cost all the others their labels. */
const titleShare = 40;

/** Of a table that nothing is cut in but the longest titles. */
function widthOfColumns(columns: Column[], rows: string[][]): number {
  return columns.reduce((sum, { title, flexible }, at) => {
    const widest = rows.reduce((most, row) => Math.max(most, widthOf(row[at]!)), widthOf(title));
    return sum + (flexible ? Math.min(widest, titleShare) : widest) + (at === 0 ? 0 : gap);
  }, 0);
}
