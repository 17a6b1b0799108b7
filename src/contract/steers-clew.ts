/**
 * Whether a path of the repository is one that decides how Clew itself works: settings, agents, spells, grimoires, beads. Also in other
 * letters' cases, which are the same on some disks, and when the folder itself becomes something else.
 */
export function steersClew(path: string): boolean {
  const words: string[] = [];
  for (const word of path.normalize("NFC").split("/")) {
    if (word === "..") words.pop();
    else if (word !== "" && word !== ".") words.push(word);
  }
  return /^\.(?:beads|clew)$/iu.test(words[0] ?? "");
}

/** Where a command changes how Clew works, also by what git does in its name. */
export const steeringPaths: readonly string[] = [".clew", ".beads", ".git/hooks", ".git/config", ".git/clew"];
