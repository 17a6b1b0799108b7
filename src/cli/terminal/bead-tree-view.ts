import type { GraphLine } from "../../contract/api/bead-shapes.ts";
import type { Screen } from "../context.ts";
import { statusSign } from "./bead-words.ts";
import { cleanLine } from "./clean.ts";
import { localTime } from "./time.ts";
import { fit } from "./width.ts";
import { markSequence } from "./escape-sequences.ts";

/** The picture of dependencies: below each bead what it waits for and what it contains. */
export function viewTree({ colors, width }: Screen, lines: GraphLine[]): string {
  if (lines.length === 0)
    return "Nothing depends on anything. clew bead dep add CHILD PARENT lets one wait for another";
  const fitWidth = (text: string): string => {
    const visible = fit(text, width);
    // What is cut may have been the end of a colour.
    return visible === text || !colors.enabled ? visible : `${visible}${markSequence("\x1b[0m")}`;
  };
  // Deeper lines stand no further right, or nothing of them would be seen.
  const mostLevels = Math.max(1, Math.floor(width / 2 / levelWidth));
  const rows = lines.map((line) => {
    const levels = line.more.slice(-mostLevels);
    return fitWidth(`${colors.dim(branch(levels))}${viewLine(colors, line)}`);
  });
  const legend = colors.dim("○ open  ◐ at work  ✗ blocked  ✓ closed   needs: waits for it   part: contains it");
  return [...rows, "", fitWidth(legend)].join("\n");
}

const levelWidth = 3;

/** `│  ├─ `: for each level whether more follows, and the line's own corner last. */
function branch(more: boolean[]): string {
  const levels = more.slice(0, -1).map((follows) => (follows ? "│  " : "   "));
  const corner = more.length === 0 ? "" : more.at(-1) ? "├─ " : "└─ ";
  return levels.join("") + corner;
}

function viewLine(colors: Screen["colors"], line: GraphLine): string {
  const { id, status, title, ready, circular, relation, mark } = line;
  const relationText = relation === undefined ? "" : `${colors.dim(cleanLine(relation))} `;
  const name = colors.bold(cleanLine(id));
  if (status === "missing") return `${relationText}${colors.red("?")} ${name}  ${colors.red("missing")}`;
  if (status === "deleted") {
    const when = line.deleted_at === undefined ? "" : ` ${localTime(line.deleted_at)}`;
    return `${relationText}${colors.dim("×")} ${name}  ${colors.dim(`deleted${when}`)}`;
  }
  const start = `${relationText}${statusSign(colors, status)} ${name}`;
  const words = {
    again: colors.dim("  ↑ see above"),
    cycle: circular ? colors.red("  ↻ a cycle: it waits for itself") : colors.dim("  ↻ see above"),
    deep: `  ${cleanLine(title)}${colors.dim(`  … clew bead graph ${cleanLine(id)}`)}`,
  };
  if (mark !== undefined) return start + words[mark];
  const circle = circular ? `  ${colors.red("↻ waits for itself")}` : "";
  return `${start}${circle}${ready ? `  ${colors.green("ready")}` : ""}  ${cleanLine(title)}`;
}
