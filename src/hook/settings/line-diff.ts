/** The lines that go and come between two texts, with `-` and `+` before them. What is alike at both ends is left out. */
export function lineDiff(before: string | undefined, after: string | undefined): string[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let tail = 0;
  while (tail < Math.min(old.length, now.length) - start && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  return [
    ...old.slice(start, old.length - tail).map((line) => `-${line}`),
    ...now.slice(start, now.length - tail).map((line) => `+${line}`),
  ];
}

function linesOf(text: string | undefined): string[] {
  return text === undefined || text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/);
}
