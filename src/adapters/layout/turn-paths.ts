import { join } from "node:path";
import { ClewError } from "../../contract/errors.ts";
import { sessionIdPattern } from "../../contract/session-values.ts";
import { checkedTurnName, isTurnName } from "../../turn/names.ts";
import { paths, rootPaths, type Layout } from "../layout.ts";

/** Where the turns of a session stand. Names are checked before they become a path. */
export const turnPaths = {
  /** What happened to the turns of a session. */
  lines: (layout: Layout, session: string) => join(folderOf(layout, session), "turns.jsonl"),
  /** The context list of a session. */
  sessionContext: (layout: Layout, session: string) => join(folderOf(layout, session), "session.context"),
  session: (layout: Layout, session: string) => folderOf(layout, session),
  turn: (layout: Layout, session: string, turn: string) => join(folderOf(layout, session), checkedTurnName(turn)),
  /** What is added to a turn stands here until its line is on disk. */
  aside: (layout: Layout, session: string, turn: string) =>
    join(folderOf(layout, session), `.${checkedTurnName(turn)}.new`),
  /** The turn that such a folder is for; undefined for any other name. */
  turnOfAside: (name: string): string | undefined => {
    const turn = /^\.(.+)\.new$/.exec(name)?.[1];
    return turn !== undefined && isTurnName(turn) ? turn : undefined;
  },
  file: (folder: string, name: string) => join(folder, checkedFileName(name)),
  /** What the executions of a session's turns need to be taken back: for the user alone. */
  journals: (layout: Pick<Layout, "home">, session: string) => join(layout.home, "turns", checkedSession(session)),
  journalsFolder: (layout: Pick<Layout, "home">) => join(layout.home, "turns"),
  /** One lock for each session: who drives its turns. */
  locks: (layout: Pick<Layout, "home">) => join(layout.home, "locks", "turns"),
  globalContext: (root: string) => join(rootPaths.clew(root), "global.context"),
  memos: (root: string) => join(rootPaths.clew(root), "memos.yaml"),
} as const;

function folderOf(layout: Layout, session: string): string {
  return paths.session(layout, checkedSession(session));
}

function checkedSession(session: string): string {
  if (sessionIdPattern.test(session)) return session;
  throw new ClewError("invalid_id", `${JSON.stringify(session)} is no session id`, "clew session list --kind turns");
}

/** The files of a turn have plain names, and none begins with a dot. */
function checkedFileName(name: string): string {
  if (/^[\w][\w.-]{0,99}$/.test(name)) return name;
  throw new ClewError("invalid_id", `${JSON.stringify(name)} is no file of a turn`, "ls the turn's folder");
}
