import { join } from "node:path";
import { withoutSuffix } from "./file-names.ts";

/** An engine session, as files name it. */
export interface SpoolName {
  engine: string;
  session: string;
}

/** What is kept of hooks, in Clew's own folder. */
export const hookPaths = {
  folder: (home: string) => join(home, "hooks"),
  spools: (home: string) => join(home, "hooks", "spool"),
  spool: (home: string, name: SpoolName) => join(home, "hooks", "spool", `${fileName(name)}.jsonl`),
  /** Marks engine sessions that may have told what no session has yet. */
  openFolder: (home: string) => join(home, "hooks", "open"),
  open: (home: string, name: SpoolName) => join(home, "hooks", "open", fileName(name)),
  faults: (home: string) => join(home, "hooks", "faults.jsonl"),
  evidenceFolder: (home: string) => join(home, "evidence"),
  /** What steps of connected agents require, a file for each run. */
  wantedFolder: (home: string) => join(home, "evidence", "wanted"),
  wanted: (home: string, run: string) => join(home, "evidence", "wanted", `${run}.json`),
  callsFolder: (home: string) => join(home, "evidence", "calls"),
  /** The calls that were observed in a run. */
  calls: (home: string, run: string) => join(home, "evidence", "calls", `${run}.jsonl`),
  evidence: (home: string, owner: string) => join(home, "evidence", `${owner}.jsonl`),
  /** The engine session whose mark or spool has this name; undefined for any other file. */
  read(name: string): SpoolName | undefined {
    const [, engine, session] =
      /^([a-z]{1,20})\.([A-Za-z0-9][\w-]{0,99})$/.exec(withoutSuffix(name, ".jsonl") ?? name) ?? [];
    return engine === undefined || session === undefined ? undefined : { engine, session };
  },
} as const;

/** Whether an engine session's id can be part of a name. */
export function isSpoolId(session: string): boolean {
  return /^[A-Za-z0-9][\w-]{0,99}$/.test(session);
}

function fileName({ engine, session }: SpoolName): string {
  return `${engine}.${session}`;
}
