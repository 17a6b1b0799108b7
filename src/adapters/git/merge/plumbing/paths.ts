/**
 * A path as git prints it, with one letter for each byte: names that are no UTF-8 stay what they are on their way from
 * git to the disk and back. `displayPath` makes the text for people.
 */
export type BytePath = string;

export function splitPaths(output: Buffer): BytePath[] {
  return output.toString("latin1").split("\0").filter(Boolean);
}

/** For git's stdin and for files that git reads paths from. */
export function joinPaths(paths: BytePath[]): Buffer {
  return Buffer.from(paths.map((path) => `${path}\0`).join(""), "latin1");
}

export function displayPath(path: BytePath): string {
  return Buffer.from(path, "latin1").toString("utf8");
}

export function toBytePath(text: string): BytePath {
  return Buffer.from(text, "utf8").toString("latin1");
}

/** Where the file is; Node takes bytes for a path. */
export function diskPath(folder: string, path: BytePath): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, "latin1")]);
}

/** `a/b` and `a` for `a/b/c`, nearest first. */
export function parentPaths(path: BytePath): BytePath[] {
  const parents: BytePath[] = [];
  for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) parents.push(path.slice(0, end));
  return parents;
}
