import type { CallPlace } from "../../text/call-place.ts";
import { asLine } from "./as-line.ts";
import type { OwnRoots } from "./own-roots.ts";

/** Where a command ran. */
interface RanIn {
  /** The command, without a `cd` to the root in front of it. */
  command: string;
  /** Why it cannot be run again at the root; undefined when it ran there and was waited for. */
  whyNot?: string;
  /** The same, as what stands behind the command; empty at the root. */
  where: string;
}

/** A word as agents write paths: bare, or in quotes without anything special. */
const path = String.raw`(?:"([^"$\x60\\]*)"|'([^']*)'|([^\s"'$\x60\\;&|<>()*?]+))`;
const cdAlone = new RegExp(String.raw`^cd[ \t]+${path}[ \t]*$`);
const cdFirst = new RegExp(String.raw`^cd[ \t]+${path}[ \t]*&&[ \t]*(?=\S)`);
/** A shell that goes elsewhere, and stays there: not in parentheses. */
const changesFolder = /(?:^|[;&|\n{]|\b(?:then|do|else))[ \t]*(?:cd|pushd|popd)(?=[\s;&|}]|$)/;

/** Where the commands of a session run, as far as it tells: the shell of an agent stays in the folder that it went to. */
export class WorkingFolder {
  readonly #roots: OwnRoots;
  /** What is known of the folder when it is not the root. */
  #elsewhere: string | undefined;

  constructor(roots: OwnRoots) {
    this.#roots = roots;
  }

  /** Hears of each command in its order. Undefined for one that only goes to the root. */
  see({ command: text, folder, isBackground }: { command: string } & CallPlace, failed: boolean): RanIn | undefined {
    const whole = text.trim();
    const first = cdFirst.exec(whole);
    const goesToRoot = first !== null && this.#roots.isRoot(pathIn(first));
    const command = goesToRoot ? whole.slice(first[0].length) : whole;
    const before = goesToRoot ? undefined : folder === undefined ? this.#elsewhere : this.#nameOf(folder, "in");
    const alone = cdAlone.exec(command);
    if (folder === undefined && !isBackground) {
      if (goesToRoot) this.#elsewhere = undefined;
      if (!(alone && failed)) this.#follow(command, alone && pathIn(alone));
    }
    if (alone && this.#roots.isRoot(pathIn(alone))) return undefined;
    if (isBackground) return { command, whyNot: "went on in the background", where: " (in the background)" };
    if (before !== undefined) return { command, whyNot: `ran ${before}`, where: ` (${before})` };
    if (changesFolder.test(command)) return { command, whyNot: "changes the folder", where: "" };
    return { command, where: "" };
  }

  #follow(command: string, alone: string | null): void {
    if (!changesFolder.test(command)) return;
    if (alone === null) this.#elsewhere = "in a folder that is not known";
    else if (!staysThere.test(alone)) this.#elsewhere = this.#nameOf(alone, "after cd");
  }

  #nameOf(folder: string, how: "in" | "after cd"): string | undefined {
    const isRoot = this.#roots.isRoot(folder) || (how === "in" && staysThere.test(folder));
    return isRoot ? undefined : `${how} ${asLine(this.#roots.relativePath(folder), 200)}`;
  }
}

/** From the root, an engine may name it so. */
const staysThere = /^\.\/?$/;

function pathIn([, doubleQuoted, singleQuoted, bare]: RegExpExecArray): string {
  return doubleQuoted ?? singleQuoted ?? bare ?? "";
}
