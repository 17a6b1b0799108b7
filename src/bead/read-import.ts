import type { Bead } from "../contract/bead.ts";
import { beadIdPattern } from "./bead-id.ts";
import { isOtherRecord, beadProblem } from "./bead-shape.ts";
import { isObject } from "../text/is-object.ts";
import { attempt } from "../text/attempt.ts";

/** A bead with the very letters of its line, which may say more than JavaScript can hold. */
export interface BeadLine {
  bead: Bead;
  line: string;
}

export interface ParsedImport {
  /** One for each id: of several lines the last. */
  beads: BeadLine[];
  /** Lines that are other records than beads. */
  passedOver: number;
  /** All that is wrong, in order. */
  errors: { line: number; reason: string }[];
}

/** Beads as JSON lines, from outside: every line is checked, and all errors are told at once. */
export function readImport(bytes: Uint8Array): ParsedImport {
  const beads = new Map<string, BeadLine>();
  const counts: Omit<ParsedImport, "beads"> = { passedOver: 0, errors: [] };
  linesOf(bytes).forEach((text, at) => {
    const line = (at === 0 ? text?.replace(/^\uFEFF/, "") : text)?.trim();
    if (line === "") return;
    const parsed = line === undefined ? "not UTF-8" : readLine(line);
    if (typeof parsed === "string") counts.errors.push({ line: at + 1, reason: parsed });
    else if (parsed) {
      beads.delete(parsed.id);
      beads.set(parsed.id, { bead: parsed, line: line! });
    } else counts.passedOver++;
  });
  return { ...counts, beads: [...beads.values()] };
}

const lineFeed = 0x0a;

/** The lines' texts; undefined for one that is not UTF-8. */
function linesOf(bytes: Uint8Array): (string | undefined)[] {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const decoded = (part: Uint8Array): string | undefined => {
    return attempt(() => decoder.decode(part), undefined);
  };
  // Nearly always all of it is right, and need not be taken apart to know.
  const whole = decoded(bytes);
  if (whole !== undefined) return whole.split("\n");
  const lines: (string | undefined)[] = [];
  for (let start = 0; start <= bytes.length;) {
    const lineEnd = bytes.indexOf(lineFeed, start);
    const end = lineEnd < 0 ? bytes.length : lineEnd;
    lines.push(decoded(bytes.subarray(start, end)));
    start = end + 1;
  }
  return lines;
}

/** The bead of a line, nothing for another record, or what is wrong. */
function readLine(line: string): Bead | undefined | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return `not JSON: ${(error as Error).message}`;
  }
  if (!isObject(value)) return "not a JSON object";
  if (isOtherRecord(value)) return undefined;
  const problem = beadProblem(value);
  if (problem !== undefined) return problem;
  // What stands in the file already keeps its id; a new one must do as an argument.
  return beadIdPattern.test(value["id"] as string) ? (value as Bead) : "id is no id of a bead";
}
