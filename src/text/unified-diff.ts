/** How a text differs from another, as `git diff` writes it. */
export interface DiffNames {
  before: string;
  after: string;
  /** Lines around each change. */
  context?: number;
}

/** Beyond so many differing lines, what lies between the first and the last is shown as replaced. */
const maxEdits = 1_000;
const noNewline = "\\ No newline at end of file";

/** Empty when the texts are the same. `undefined` stands for a file that is not there. */
export function unifiedDiff(before: string | undefined, after: string | undefined, names: DiffNames): string {
  if (before === after) return "";
  const [old, now] = [linesOf(before ?? ""), linesOf(after ?? "")];
  const head = [
    `--- ${before === undefined ? "/dev/null" : names.before}`,
    `+++ ${after === undefined ? "/dev/null" : names.after}`,
  ];
  const hunks = hunksOf(editScript(old, now), names.context ?? 3);
  return [...head, ...hunks, ""].join("\n");
}

/** How many lines came and went. */
export function countChanges(diff: string): { added: number; deleted: number } {
  let added = 0;
  let deleted = 0;
  for (const line of diff.split("\n")) {
    if (line.startsWith("+") && !line.startsWith("+++ ")) added++;
    else if (line.startsWith("-") && !line.startsWith("--- ")) deleted++;
  }
  return { added, deleted };
}

interface Line {
  sign: " " | "-" | "+";
  text: string;
}

/** The last line keeps that it has no newline, so that it differs from one that has. */
function linesOf(text: string): string[] {
  if (text === "") return [];
  const lines = text.split("\n");
  const last = lines.pop()!;
  return last === "" ? lines : [...lines, `${last}\n${noNewline}`];
}

function editScript(old: string[], now: string[]): Line[] {
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const same = (text: string): Line => ({ sign: " ", text });
  return [
    ...old.slice(0, start).map(same),
    ...middleScript(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...old.slice(old.length - end).map(same),
  ];
}

/** How far each diagonal reached, from `-depth - 1` on. */
type Reach = Int32Array;

/** The shortest way from one list to the other (Myers), or all of it replaced when that way is long. */
function middleScript(old: string[], now: string[]): Line[] {
  const trace = traceOf(old, now);
  if (!trace)
    return [...old.map((text): Line => ({ sign: "-", text })), ...now.map((text): Line => ({ sign: "+", text }))];
  const lines: Line[] = [];
  let [x, y] = [old.length, now.length];
  for (let depth = trace.length - 1; depth > 0; depth--) {
    const k = x - y;
    const isDown = goesDown(trace[depth]!, depth, k);
    const beforeX = trace[depth]![k + (isDown ? 1 : -1) + depth + 1]!;
    const beforeY = beforeX - (k + (isDown ? 1 : -1));
    for (; x > beforeX && y > beforeY; y--) lines.push({ sign: " ", text: old[--x]! });
    if (isDown) lines.push({ sign: "+", text: now[--y]! });
    else lines.push({ sign: "-", text: old[--x]! });
  }
  return lines.toReversed();
}

/** For each number of edits, how far each diagonal reached before it; undefined when there are too many. */
function traceOf(old: string[], now: string[]): Reach[] | undefined {
  const most = Math.min(maxEdits, old.length + now.length);
  const middle = most + 1;
  const reach = new Int32Array(2 * most + 3).fill(-1);
  reach[middle + 1] = 0;
  const trace: Reach[] = [];
  for (let depth = 0; depth <= most; depth++) {
    const before = reach.slice(middle - depth - 1, middle + depth + 2);
    trace.push(before);
    for (let k = -depth; k <= depth; k += 2) {
      const isDown = goesDown(before, depth, k);
      let x = isDown ? before[k + 1 + depth + 1]! : before[k - 1 + depth + 1]! + 1;
      while (x < old.length && x - k < now.length && old[x] === now[x - k]) x++;
      reach[middle + k] = x;
      if (x >= old.length && x - k >= now.length) return trace;
    }
  }
  return undefined;
}

/** Whether the way to a diagonal takes a line of the new text last, and none of the old. */
function goesDown(reach: Reach, depth: number, k: number): boolean {
  const [below, above] = [reach[k - 1 + depth + 1]!, reach[k + 1 + depth + 1]!];
  return k === -depth || (k !== depth && below < above);
}

function hunksOf(script: Line[], context: number): string[] {
  const changed = script.flatMap(({ sign }, index) => (sign === " " ? [] : [index]));
  const ranges: [start: number, end: number][] = [];
  for (const index of changed) {
    const [start, end] = [Math.max(0, index - context), Math.min(script.length, index + context + 1)];
    const last = ranges.at(-1);
    if (last && start <= last[1]) last[1] = end;
    else ranges.push([start, end]);
  }
  const counts = { old: 0, now: 0, at: 0 };
  return ranges.flatMap(([start, end]) => {
    for (; counts.at < start; counts.at++) {
      if (script[counts.at]!.sign !== "+") counts.old++;
      if (script[counts.at]!.sign !== "-") counts.now++;
    }
    const lines = script.slice(start, end);
    const oldCount = lines.filter(({ sign }) => sign !== "+").length;
    const nowCount = lines.filter(({ sign }) => sign !== "-").length;
    const place = (line: number, count: number): string =>
      `${count === 0 ? line : line + 1}${count === 1 ? "" : `,${count}`}`;
    return [
      `@@ -${place(counts.old, oldCount)} +${place(counts.now, nowCount)} @@`,
      ...lines.map(({ sign, text }) => `${sign}${text}`),
    ];
  });
}
