import type { ChangedFile, MergeOffer } from "../../contract/merge-offer.ts";
import type { Screen } from "../context.ts";
import { clean, cleanLine } from "./clean.ts";
import type { Colors } from "./colors.ts";
import { placeText } from "./run-words.ts";
import { number } from "./time.ts";
import { fit, padTo, widthOf } from "./width.ts";
import { trimEndOf } from "../../text/trim.ts";

interface OfferView {
  /** The run's own branch. */
  branch: string | null;
  /** Only these files are listed. */
  path?: string[];
  /** More files than this are only counted. */
  mostFiles?: number;
}

/** What a merge changes: into what, how much, file by file, and what of it steers Clew itself. */
export function viewOffer(
  screen: Screen,
  offer: MergeOffer,
  { branch, path = [], mostFiles = Infinity }: OfferView,
): string {
  const { colors } = screen;
  const { target, totals, flagged, strategy } = offer;
  const files = path.length === 0 ? offer.files : offer.files.filter((file) => path.some((each) => isAt(file, each)));
  const visibleFiles = files.slice(0, mostFiles);
  const hiddenCount = path.length === 0 ? totals.files - visibleFiles.length : files.length - visibleFiles.length;
  const counts = `${number(totals.files)} ${totals.files === 1 ? "file" : "files"}, ${lineCounts(colors, totals)}`;
  return [
    `${colors.bold(cleanLine(target))} ← ${cleanLine(branch ?? offer.head.slice(0, 9))}${strategy === "squash" ? " as one commit" : ""}  ${counts}`,
    ...viewFiles(screen, visibleFiles),
    ...(hiddenCount > 0 ? [colors.dim(`  … and ${number(hiddenCount)} more`)] : []),
    viewProof(screen, offer),
    ...flagged.map((each) => `${colors.yellow("!")} ${cleanLine(each)} steers Clew itself: look at it with care`),
  ].join("\n");
}

/** What was seen to succeed on the very tree that would land. */
function viewProof({ colors }: Screen, { proven, tree }: MergeOffer): string {
  if (proven === undefined || proven.length === 0) {
    return `${colors.yellow("○")} no verify: nothing is proven of this very tree (${tree.slice(0, 9)})`;
  }
  return proven
    .map(({ by, command, said, id, ...step }) => {
      const what = by === "verify" ? "verify" : placeText(step);
      if (by === "evidence")
        return `${colors.green("✓")} ${what} was seen to run on this very tree: ${cleanLine(command)}${colors.dim(`  ${id}`)}`;
      // Of a long script the beginning tells nothing; what it printed last often does.
      const isShort = !command.includes("\n") && command.length <= 100;
      const proof = isShort ? `: ${cleanLine(command)}: exit 0` : said === "" ? "" : `: ${cleanLine(said)}`;
      const proofText = colors.dim(proof);
      return `${colors.green("✓")} ${what} succeeded on this very tree (${tree.slice(0, 9)})${proofText}`;
    })
    .join("\n");
}

function isAt({ path, from }: ChangedFile, place: string): boolean {
  const folder = `${trimEndOf(place, "/")}/`;
  return [path, from].some((each) => each === place || each?.startsWith(folder));
}

function viewFiles({ colors, width, onTerminal }: Screen, files: ChangedFile[]): string[] {
  const rows = files.map((file) => ({ file, name: cleanLine(file.from ? `${file.from} → ${file.path}` : file.path) }));
  const longest = rows.reduce((most, { name }) => Math.max(most, widthOf(name)), 0);
  const room = onTerminal ? Math.min(longest, Math.max(20, width - 24)) : longest;
  return rows.map(({ file, name }) => {
    const count =
      file.added === null || file.deleted === null
        ? colors.dim("not text")
        : lineCounts(colors, { added: file.added, deleted: file.deleted });
    return `  ${mark(colors, file.change)} ${padTo(fit(name, room), room)}  ${count}`.trimEnd();
  });
}

function lineCounts({ green, red }: Colors, { added, deleted }: { added: number; deleted: number }): string {
  return `${green(`+${number(added)}`)} ${red(`−${number(deleted)}`)}`;
}

function mark(colors: Colors, change: ChangedFile["change"]): string {
  const marks: Record<ChangedFile["change"], string> = {
    added: colors.green("A"),
    deleted: colors.red("D"),
    modified: colors.cyan("M"),
    renamed: colors.cyan("R"),
    type: colors.yellow("T"),
  };
  return marks[change];
}

/** A diff on a terminal: lines by what they are, and nothing in them takes effect. */
export function paintDiff(colors: Colors, diff: string): string {
  return diff
    .split("\n")
    .map((line) => paintLine(colors, clean(line)))
    .join("\n");
}

function paintLine(colors: Colors, line: string): string {
  if (/^(?:diff |index |\+\+\+ |--- |new file|deleted file|rename |similarity |old mode|new mode)/.test(line)) {
    return colors.bold(line);
  }
  if (line.startsWith("@@")) return colors.cyan(line);
  if (line.startsWith("+")) return colors.green(line);
  return line.startsWith("-") ? colors.red(line) : line;
}
