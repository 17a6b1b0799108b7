import { join } from "node:path";

/** Where everything stands. `home` is `<git-common-dir>/clew`, safe from `git clean -fdx`. */
export interface Layout {
  /** The main checkout. */
  root: string;
  sessions: string;
  home: string;
}

export const paths = {
  session: (layout: Layout, id: string) => join(layout.sessions, id),
  record: (layout: Layout, id: string) => join(layout.sessions, id, "session.md"),
  live: (layout: Layout, id: string) => join(layout.home, "live", `${id}.jsonl`),
  /** What the last writer left: stamps, counters, what the body ends in. May be lost; never the truth. */
  state: (layout: Layout, id: string) => join(layout.home, "live", `${id}.state`),
  /** Marks a session that is active or has entries not yet folded into frontmatter and index. */
  open: (layout: Layout, id: string) => join(layout.home, "open", id),
  openFolder: (layout: Layout) => join(layout.home, "open"),
  liveFolder: (layout: Layout) => join(layout.home, "live"),
  transcripts: (layout: Layout, id: string) => join(layout.home, "transcripts", id),
  results: (layout: Layout, id: string) => join(layout.home, "transcripts", id, "results.jsonl"),
  index: (layout: Layout) => join(layout.home, "index"),
  search: (layout: Layout) => join(layout.home, "search"),
  locks: (layout: Layout) => join(layout.home, "locks"),
  /** What the index was last compared with: the sessions folder's time, and HEAD. */
  seen: (layout: Layout) => join(layout.home, "state", "sessions-seen.json"),
  stateFolder: (layout: Layout) => join(layout.home, "state"),
} as const;
