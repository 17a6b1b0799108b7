import { anyBelow, anyName, anyText } from "../command/word-shapes.ts";

/** A path as it is without `.`, `..` and double slashes; relative ones begin at the folder, `~` at home. */
export function fullPath(path: string, folder: string, home: string): string {
  const expanded = path === "~" || path.startsWith("~/") ? `${home}${path.slice(1)}` : path;
  const parts: string[] = [];
  for (const part of (expanded.startsWith("/") ? expanded : `${folder}/${expanded}`).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

/** The same for a shape. What stands before a text that is not known counts for nothing, as `..` may be in it. */
export function fullShape(shape: string, folder: string, home: string): string {
  const whole = /^[~/]/.test(shape) || shape.startsWith(anyText) ? shape : `${folder}/${shape}`;
  const at = whole.lastIndexOf(anyText);
  if (at < 0) return fullPath(whole, "", home);
  const behind = whole.slice(at + 1).split("/");
  const up = behind.lastIndexOf("..");
  const names = up < 0 ? behind : ["", ...behind.slice(up + 1)];
  return anyText + names.filter((name, index) => index === 0 || (name !== "" && name !== ".")).join("/");
}

/** Whether a full shape may be a path that a pattern means. In doubt it may. */
export function mayMatchPath(pattern: string, shape: string, top: string, home: string): boolean {
  const base = pattern.startsWith("**") ? pattern : fullPath(pattern, top, home);
  const names = base.split("/").filter((name) => name !== "");
  // Below a file, such as `.env` or `*.pem`, nothing is looked for by a text that is not known: all would be meant.
  const isFile = shape.includes(anyText) && /\./.test(names.at(-1) ?? "");
  while (names.at(-1) === "**") names.pop();
  const signs = names.flatMap((name) => (name === "**" ? [anyText] : ["/", ...name.toLowerCase()]));
  const read = signs.map((sign) => (sign === "*" ? anyName : sign));
  const letters = [...shape.toLowerCase()];
  return mayMeet(read, letters) || (!isFile && mayMeet([...read, "/", anyText], letters));
}

/** Whether a text fits both. Takes time by the product of the lengths. */
function mayMeet(one: readonly string[], other: readonly string[]): boolean {
  const isRun = (sign: string | undefined): boolean => sign === anyText || sign === anyName || sign === anyBelow;
  const takes = (run: string, sign: string): boolean => run !== anyName || sign !== "/";
  let below: boolean[] = [];
  for (let at = one.length; at >= 0; at--) {
    const row: boolean[] = Array<boolean>(other.length + 1).fill(false);
    for (let to = other.length; to >= 0; to--) {
      const [sign, letter] = [one[at], other[to]];
      if (sign === undefined && letter === undefined) row[to] = true;
      else if (isRun(sign) && below[to]) row[to] = true;
      else if (isRun(letter) && row[to + 1]) row[to] = true;
      else if (sign === undefined || letter === undefined) continue;
      else if (isRun(sign)) row[to] = (isRun(letter) || takes(sign, letter)) && row[to + 1]!;
      else if (isRun(letter)) row[to] = takes(letter, sign) && below[to]!;
      else row[to] = (sign === letter || (sign === "?" && letter !== "/")) && below[to + 1]!;
    }
    below = row;
  }
  return below[0]!;
}

/**
 * Whether a full path is one that a pattern means: `*` and `?` within a name, `**` over names. A pattern without a slash at its
 * beginning counts from the top, and one that begins with `**` everywhere. What stands below a folder that is meant is meant, too.
 */
export function matchesPath(pattern: string, path: string, top: string, home: string): boolean {
  const isAnywhere = pattern.startsWith("**");
  const base = isAnywhere ? pattern : fullPath(pattern, top, home);
  const names = base.split("/").filter((name) => name !== "");
  return fits(
    names,
    path.split("/").filter((name) => name !== ""),
  );
}

/** Each name of the pattern is tried once at each name of the path. */
function fits(pattern: readonly string[], path: readonly string[]): boolean {
  let reached = new Set([0]);
  const spread = (set: Set<number>): Set<number> => {
    for (const at of set) if (pattern[at] === "**") set.add(at + 1);
    return set;
  };
  spread(reached);
  for (const name of path) {
    if (reached.has(pattern.length)) return true;
    const next = new Set<number>();
    for (const at of reached) {
      if (pattern[at] === "**") next.add(at);
      else if (pattern[at] !== undefined && fitsName(pattern[at], name)) next.add(at + 1);
    }
    reached = spread(next);
  }
  return reached.has(pattern.length);
}

/** Without case, because not every file system has it. Takes time by the product of the lengths at most. */
function fitsName(pattern: string, name: string): boolean {
  const [signs, letters] = [pattern.toLowerCase(), name.toLowerCase()];
  let [at, from, star, retry] = [0, 0, -1, 0];
  while (from < letters.length) {
    if (at < signs.length && (signs[at] === "?" || (signs[at] !== "*" && signs[at] === letters[from]))) {
      at++;
      from++;
    } else if (signs[at] === "*") {
      star = at++;
      retry = from;
    } else if (star >= 0) {
      at = star + 1;
      from = ++retry;
    } else return false;
  }
  while (signs[at] === "*") at++;
  return at === signs.length;
}
