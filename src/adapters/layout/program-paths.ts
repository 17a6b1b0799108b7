import { dirname, join } from "node:path";

/** What comes with the program, in the folders that it is started with. */
export const programPaths = {
  definitions: (builtins: string, kind: "grimoires" | "spells" | "agents") => join(builtins, kind),
  /** A built-in grimoire as the build parsed it. */
  parsedGrimoire: (path: string) => `${path}.json`,
  engine: (engines: string, name: string) => join(engines, `${name}.cjs`),
  /** The program itself. */
  clew: (engines: string) => join(dirname(engines), "clew.cjs"),
  /** What the REST API is, for programs that generate a client. */
  apiDocument: (engines: string) => join(dirname(engines), "openapi.json"),
  /** What the threads run that build the search. */
  searchThread: (engines: string) => join(dirname(engines), "chunks", "search-thread.cjs"),
} as const;
