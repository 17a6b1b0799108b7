// A command stands in a session as it was given in somebody's checkout. As the test of a task it must only reach the task's own files.

/** The folders of a machine that commands name. All are absolute. */
export interface Machine {
  /** The repository's checkouts, by each way to write them. */
  checkouts: readonly string[];
  home: string | undefined;
}

/** A command and the folder in which it runs, which for a task is below its files; "" is the root. */
export interface PortableCommand {
  command: string;
  folder: string;
}

/** The worktrees of runs stand below the main checkout; the one that a command names may be gone. */
const worktreeBelow = /^\/\.worktrees\/[^\s"'/;&|<>()]{1,255}/;

/** `cd FOLDER &&` at the beginning of a command. */
const changeFirst =
  /^\s*cd\s+(?:--\s+)?(?:"([^"$`\\]+)"|'([^']+)'|((?:[^\s"'`$\\;&|<>()*?[\]{}]|\\ )+))[ \t]*(?:&&|;|\n)\s*/;
const changesFolder = /(?:^|[\s;&|({])(?:cd|pushd|popd|chdir)(?![\w.-])/;
/** Into a folder that no text before tells: an absolute one, the home, or what a variable or command says. */
const leaves = /(?:^|[\s;&|({])(?:cd|pushd|chdir)(?:\s+--)?(?:\s+["']?(?:[/~$`]|-(?![\w/]))|\s*(?:$|[;&|)\n]))/;
const homeNames = /(?<![\w/])~(?=\/|\s|$)|\$HOME\b|\$\{HOME\b/;

/** The command as it runs on a task's files; undefined where it names folders that a task has not. */
export function portableCommand({ command, folder }: PortableCommand, machine: Machine): PortableCommand | undefined {
  const names = namesOf(machine);
  let place = folder === "" ? "" : placeBelow(folder, names);
  let rest = command;
  for (let change = changeFirst.exec(rest); change && place !== undefined; change = changeFirst.exec(rest)) {
    const target = (change[1] ?? change[2] ?? change[3]!).replaceAll("\\ ", " ");
    if (!/^[/~]/.test(target)) break;
    place = placeBelow(target, names);
    rest = rest.slice(change[0].length);
  }
  if (place === undefined) return undefined;
  const written = withoutNames(rest, place, names);
  if (written !== rest && changesFolder.test(rest)) return undefined;
  const isForeign = leaves.test(written) || homeNames.test(written) || namesAny(written, machine);
  return isForeign || written.trim() === "" ? undefined : { command: written, folder: place };
}

/** All ways to write a checkout, the longest first: one may stand in another. */
function namesOf({ checkouts, home }: Machine): string[] {
  const names = new Set<string>();
  for (const checkout of checkouts.filter((each) => each.length > 1)) {
    names.add(checkout);
    const below = home !== undefined && checkout.startsWith(`${home}/`) ? checkout.slice(home.length) : undefined;
    for (const sign of below === undefined ? [] : ["~", "$HOME", "${HOME}"]) names.add(`${sign}${below}`);
  }
  return [...names].sort((a, b) => b.length - a.length);
}

/** Where a folder stands below a checkout, with `/` between its parts; undefined where it is in none. */
function placeBelow(folder: string, names: readonly string[]): string | undefined {
  if (!/^[/~$]/.test(folder)) return plainPath(folder);
  for (const name of names) {
    if (folder !== name && !folder.startsWith(`${name}/`)) continue;
    return plainPath(folder.slice(endOfCheckout(folder, name.length)));
  }
  return undefined;
}

/** A relative path without `.` and `..`; undefined where it leads above. */
function plainPath(path: string): string | undefined {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join("/");
}

/** Paths of checkouts, as they are seen from the folder of the task. */
function withoutNames(command: string, place: string, names: readonly string[]): string {
  const root = place === "" ? "." : place.replace(/[^/]+/g, "..");
  return names.reduce((text, name) => {
    const shorter = replaceFolder(text, name, root);
    return name.includes(" ") ? replaceFolder(shorter, name.replaceAll(" ", "\\ "), root) : shorter;
  }, command);
}

/** Where the name of a checkout ends that stands before `at`, with that of a worktree below it. */
function endOfCheckout(text: string, at: number): number {
  return at + (worktreeBelow.exec(text.slice(at, at + 300))?.[0].length ?? 0);
}

/** Where a folder is named as a whole, and not as a part of another. */
function replaceFolder(text: string, folder: string, by: string): string {
  let replaced = "";
  let done = 0;
  for (let at = text.indexOf(folder); at >= 0; at = text.indexOf(folder, at + 1)) {
    if (at < done || /[\w./~$}\\-]/.test(text[at - 1] ?? " ")) continue;
    const end = endOfCheckout(text, at + folder.length);
    if (/[\w.-]/.test(text[end] ?? " ")) continue;
    replaced += text.slice(done, at) + by;
    done = end;
  }
  return replaced + text.slice(done);
}

/** Whether a text still names a checkout or the home, however the path is written. */
function namesAny(text: string, { checkouts, home }: Machine): boolean {
  const plain = text
    .replaceAll("\\", "")
    .replace(/\/(?:\.?\/)+/g, "/")
    .toLowerCase();
  const folders = [...checkouts, ...(home === undefined ? [] : [home])].filter((folder) => folder.length > 1);
  return folders.some((folder) => plain.includes(folder.toLowerCase()));
}
