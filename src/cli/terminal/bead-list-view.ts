import type { ListedBeads } from "../../contract/api/bead-shapes.ts";
import { labelsOf, priorityOf, beadStatusOf, beadTypeOf } from "../../contract/bead.ts";
import type { Screen } from "../context.ts";
import { priorityCell, beadStatusCell } from "./bead-words.ts";
import { cleanLine } from "./clean.ts";
import { table, type Cell, type Column } from "./table.ts";
import { viewUnreadable } from "./unreadable-view.ts";

/** The title says more than the labels, which get the room that it leaves, or no column at all. */
const columns: Column[] = [
  { title: "BEAD", isId: true },
  { title: "PRI" },
  { title: "STATUS", givesWay: 3 },
  { title: "TYPE", givesWay: 2, least: 4 },
  { title: "TITLE", wraps: 2, room: 40 },
  { title: "LABELS", givesWay: 1, least: 12 },
];

/** Beads as a table, or `emptyText` when there are none; below it the lines that could not be read. */
export function viewBeads(screen: Screen, { beads, standings, unreadable }: ListedBeads, emptyText: string): string {
  const { colors } = screen;
  const rows = beads.map((bead): Cell[] => [
    cleanLine(bead.id),
    priorityCell(colors, priorityOf(bead)),
    beadStatusCell(colors, cleanLine(standings?.[bead.id] ?? beadStatusOf(bead))),
    cleanLine(beadTypeOf(bead)),
    cleanLine(bead.title),
    { text: cleanLine(labelsOf(bead).join(" ")), paint: colors.dim },
  ]);
  // Without any label, the column would hold its title alone.
  const hasLabels = beads.some((bead) => labelsOf(bead).length > 0);
  return [
    rows.length > 0 ? table(screen, hasLabels ? columns : columns.slice(0, -1), rows) : emptyText,
    ...unreadable.map(({ place, reason }) => viewUnreadable(screen, place, reason)),
  ].join("\n");
}
