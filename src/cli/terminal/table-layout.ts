export interface Column {
  title: string;
  align?: "right";
  /**
   * People copy ids, so they are never cut. In the first column, an id that is too long stands alone in its line; any other
   * column of ids is left out as a whole.
   */
  isId?: true;
  /** The text wraps, into at most so many lines, in the room that the others leave. At most one column has this. */
  wraps?: number;
  /** Others give way until that text has this much room. */
  room?: number;
  /** Columns with a lower number give way first, so that the text has room; those without stay. */
  givesWay?: number;
  /** The column is cut to this many columns before any is left out. */
  least?: number;
  /** A path is cut in its middle. */
  isPath?: true;
}

const gap = 2;
const usualRoom = 28;
/** Narrower text cannot be read. */
const leastText = 12;

/**
 * The width of each column; undefined for those that are left out. `natural` is as wide as what stands in them, `ids` are
 * the widths in the first one.
 */
export function layOut(
  columns: readonly Column[],
  natural: readonly number[],
  ids: readonly number[],
  width: number,
): readonly (number | undefined)[] {
  if (sumOf(natural) <= width) return natural;
  return (
    giveWay(columns, limitIds(natural, ids, 0.4 * width), width) ??
    squeeze(columns, limitIds(natural, ids, 0.3 * width), width)
  );
}

/** One long id must not cost all the others their columns: those above the limit stand alone in their lines. */
function limitIds(natural: readonly number[], ids: readonly number[], limit: number): number[] {
  const first = ids.reduce((most, each) => (each <= limit ? Math.max(most, each) : most), Math.min(8, natural[0]!));
  return [first, ...natural.slice(1)];
}

/** The columns with room for the text, or undefined where leaving others out does not make enough. */
function giveWay(columns: readonly Column[], natural: number[], width: number): (number | undefined)[] | undefined {
  const widths: (number | undefined)[] = [...natural];
  const text = columns.findIndex(({ wraps }) => wraps !== undefined);
  if (text >= 0) widths[text] = Math.min(natural[text]!, columns[text]!.room ?? usualRoom);
  const order = columns
    .map((column, at) => ({ at, least: column.least, givesWay: column.givesWay ?? Infinity }))
    .filter(({ at }) => at !== text)
    .sort((one, other) => one.givesWay - other.givesWay || one.at - other.at);
  const excess = (): number => sumOf(widths) - width;
  for (const { at, least = Infinity } of order) {
    if (excess() > 0 && widths[at]! > least) widths[at] = Math.max(least, widths[at]! - excess());
  }
  for (const { at, givesWay } of order) if (excess() > 0 && givesWay < Infinity) widths[at] = undefined;
  if (excess() > 0) return undefined;
  // Columns that were cut before others were left out grow back, then the text takes the rest.
  return order
    .map(({ at }) => at)
    .concat(text >= 0 ? [text] : [])
    .reduce((all, at) => grow(all, natural, at, width), widths);
}

function grow(
  widths: (number | undefined)[],
  natural: readonly number[],
  at: number,
  width: number,
): (number | undefined)[] {
  const room = width - sumOf(widths);
  return widths.map((each, index) => (each === undefined || index !== at ? each : Math.min(natural[at]!, each + room)));
}

/** Too narrow for comfort: the id, what cannot be left out, and what room there is for the text. */
function squeeze(columns: readonly Column[], natural: readonly number[], width: number): (number | undefined)[] {
  const widths = natural.map((each, at) => (columns[at]!.givesWay === undefined ? each : undefined));
  const text = columns.findIndex(({ wraps }) => wraps !== undefined);
  const room = (at: number): number => width - (sumOf(widths) - (widths[at] ?? 0));
  if (text > 0) widths[text] = Math.min(natural[text]!, Math.max(leastText, room(text)));
  // What stays may still be too wide together: from the right, each has what the others leave.
  for (let at = columns.length - 1; at > 0 && sumOf(widths) > width; at--) {
    if (widths[at] === undefined || at === text) continue;
    widths[at] = columns[at]!.isId || room(at) < 3 ? undefined : room(at);
  }
  return widths;
}

function sumOf(widths: readonly (number | undefined)[]): number {
  return widths.reduce<number>((sum, each) => (each === undefined ? sum : sum + each + gap), -gap);
}
