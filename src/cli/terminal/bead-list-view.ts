import type { BeadList } from "../../app/bead-port.ts";
import { labelsOf, priorityOf, statusOf, typeOf } from "../../contract/bead.ts";
import { paintPriority, paintStatus, type Look } from "./bead-words.ts";
import { clean, cleanLine } from "./clean.ts";
import { table } from "./table.ts";

/** Beads as a table; `none` is what to say when there is none. */
export function viewBeads({ colors, width }: Look, { beads, unreadable }: BeadList, none: string): string {
  const parts: string[] = [];
  if (beads.length > 0) {
    parts.push(
      table(
        [
          { title: "BEAD" },
          { title: "PRI" },
          { title: "STATUS" },
          { title: "TYPE" },
          { title: "TITLE", flexible: true },
          { title: "LABELS" },
        ],
        beads.map((bead) => [
          cleanLine(bead.id),
          paintPriority(colors, priorityOf(bead)),
          paintStatus(colors, cleanLine(statusOf(bead))),
          cleanLine(typeOf(bead)),
          cleanLine(bead.title),
          colors.dim(cleanLine(labelsOf(bead).join(" "))),
        ]),
        width,
        colors.dim,
      ),
    );
  } else parts.push(none);
  for (const { place, reason } of unreadable)
    parts.push(`${colors.red("unreadable")}  ${clean(place)}\n            ${clean(reason)}`);
  return parts.join("\n");
}
