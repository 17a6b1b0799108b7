import { join } from "node:path";
import { ClewError } from "../../contract/errors.ts";
import { trimOf } from "../../text/trim.ts";
import { questionIdPattern } from "../../contract/session-values.ts";

/** What agents of talks ask, one file each. */
/** The agents at work in sessions, and what they are ordered. */
export const handlePaths = {
  agent: (folder: string, session: string) => join(folder, `${session}.json`),
  orders: (folder: string, session: string) => join(folder, session),
  order: (folder: string, session: string, id: string, state: "json" | "taken" | "end" | "withdrawn") =>
    join(folder, session, `${id}.${state}`),
} as const;

export const questionPaths = {
  question: (folder: string, id: string) => {
    if (!questionIdPattern.test(id))
      throw new ClewError("invalid_id", `${JSON.stringify(id)} is no question`, "clew inbox");
    return join(folder, `${id}.json`);
  },
} as const;

/** Breadcrumbs of a session, in its folder of them. */
export const breadcrumbPaths = {
  depth: (folder: string, depth: number) => join(folder, String(depth)),
  /** The depth whose folder has this name; undefined for any other. */
  depthOf: (name: string): number | undefined => (/^(?:0|[1-9]\d?)$/.test(name) ? Number(name) : undefined),
  /** `number` tells those of one moment apart. */
  file: (folder: string, timestamp: string, number: number) =>
    join(folder, `${timestamp.replaceAll(":", "")}${number === 1 ? "" : `-${number}`}.json`),
  /** When it was left, and which of that moment it is; undefined for any other file. */
  read(name: string): { time: string; number: number } | undefined {
    const [, time, number = "1"] = /^(\d{4}-\d\d-\d\dT\d{6}\.\d{3}Z)(?:-([1-9]\d{0,8}))?\.json$/.exec(name) ?? [];
    return time === undefined ? undefined : { time, number: Number(number) };
  },
} as const;

/** Lines that engines printed, in a folder for each session or run. */
export const transcriptPaths = {
  /** `ENGINE-TIME-LABEL.jsonl`; `number` tells those of one moment apart. */
  name: (engine: string, nowMs: number, label: string, number: number) => {
    const time = new Date(nowMs).toISOString().replaceAll(":", "");
    return `${wordOf(engine)}-${time}-${wordOf(label)}${number === 1 ? "" : `.${number}`}.jsonl`;
  },
  /** Names stand in session.md, which is anybody's text. */
  isName: (name: string) => /^[A-Za-z0-9][\w.-]{0,250}\.jsonl$/.test(name),
  file: (folder: string, owner: string, name: string) => join(folder, owner, name),
} as const;

/** A file system takes names of 255 bytes. */
const longestWord = 100;

/** `quality-loop[2]/run-tests#1` as part of a name: the end tells more than the beginning. */
function wordOf(text: string): string {
  return trimOf(text.replace(/[^A-Za-z0-9_]+/g, "-"), "-").slice(-longestWord);
}

/** What stands in the folder of the sessions' index. */
export const indexPaths = {
  manifest: (folder: string) => join(folder, "manifest.toon"),
  shards: (folder: string) => join(folder, "shards"),
  /** The first id shows a person what is in the file, and distinguishes shards with equal checksums. */
  shardName: (first: string, check: string) => `${first.replace(/[^a-z0-9-]/g, "_").slice(0, 100)}.${check}.toon`,
  /** Where a file of the index is written before it is renamed. */
  aside: (path: string) => `${path}.new`,
} as const;

/** What stands in the folder of the search: for each part of it, the databases that were made one after the other. */
export const searchPaths = {
  database: (folder: string, part: number, number: number) =>
    join(folder, `search${part === 0 ? "" : `-${part}`}.${number}.db`),
  /** The database, and what SQLite keeps beside it. */
  files: (folder: string, part: number, number: number) =>
    ["", "-wal", "-shm"].map((suffix) => `${searchPaths.database(folder, part, number)}${suffix}`),
  /** Undefined for any name that is not of this part. */
  numberOf: (name: string, part: number): number | undefined => {
    const match = /^search(?:-(\d+))?\.(\d+)\.db$/.exec(name);
    return match && Number(match[1] ?? 0) === part ? Number(match[2]) : undefined;
  },
} as const;
