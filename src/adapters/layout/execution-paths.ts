import { join } from "node:path";
import { checkedTurnName } from "../../turn/names.ts";
import type { Layout } from "../layout.ts";
import { turnPaths } from "./turn-paths.ts";

/** What executions of turns leave in the git folder, for the user alone. */
export const executionPaths = {
  /** Names the deed that is under way; there only meanwhile. */
  underWay: (layout: Pick<Layout, "home">, session: string) =>
    join(turnPaths.journals(layout, session), "under-way.json"),
  turn: (layout: Pick<Layout, "home">, session: string, turn: string) =>
    join(turnPaths.journals(layout, session), checkedTurnName(turn)),
  journal: (folder: string) => join(folder, "journal.jsonl"),
  contents: (folder: string) => join(folder, "contents"),
  content: (folder: string, sha256: string) => join(folder, "contents", sha256),
  /** A file that is to take another's place, in the folder of that one. Git's ignore rules hide it. */
  aside: (folder: string, word: string, number: number) => join(folder, `.clew-${word}.${number}.new`),
} as const;
