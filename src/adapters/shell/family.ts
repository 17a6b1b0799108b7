import type { ProcessInfo, ProcessTable } from "./process-table.ts";

/** The first process of a family: it leads its own group and session. */
export interface Leader {
  pid: number;
  started: string;
  /** In the environment of all processes that it starts. */
  mark: string;
}

/** Leaders and all processes that they started, as far as the system shows. */
export interface Family {
  /** The living members. A process that was found once stays a member, also when its parent dies and it leaves its group. */
  look(options: MemberOptions): Members;
}

export interface MemberOptions {
  /** Whether to look for processes by mark, too: it finds those that left group and session unnoticed. */
  byMark: boolean;
  /** Whether to leave out all processes that left the group. */
  groupOnly?: boolean;
}

export interface Members {
  processes: ProcessInfo[];
  /** Groups that have only members. */
  groups: number[];
  /** Whether the mark of some process cannot be read yet. A later look can. */
  isUnsettled: boolean;
}

export interface FamilyOptions {
  table: ProcessTable;
  leaders: Leader[];
  /** Whether the leaders may have ended long ago, so that other processes may have their pids. */
  mayBeStale: boolean;
}

/**
 * Members of a family are: its leaders; processes in a group or session that a leader made; with `byMark`, processes with a
 * mark; earlier members; and the children of all these. Never this process, nor an ancestor of it.
 */
export function createFamily({ table, leaders, mayBeStale }: FamilyOptions): Family {
  const ids = new Set(leaders.map(({ pid }) => pid));
  const starts = new Set(leaders.map(({ pid, started }) => `${pid} ${started}`));
  const marks = new Set(leaders.map(({ mark }) => mark));
  /** Ids of the family's groups and sessions. The system reuses no pid that still names one of these. */
  const ownIds = new Set(mayBeStale ? [] : ids);
  /** No member is older than the first leader. */
  const first = leaders.reduce((one, other) => (Number(other.started) < Number(one.started) ? other : one));
  const lookAtNew = table.since({ started: first.started || "0", ...(!mayBeStale && { pid: first.pid }) });
  let lastMembers = new Map<number, string>();

  function look({ byMark, groupOnly = false }: MemberOptions): Members {
    const all = lookAtNew(byMark ? marks : undefined);
    for (const { pid, group, session, started, hasMark } of all) {
      if (starts.has(`${pid} ${started}`)) ownIds.add(pid);
      else ownIds.delete(pid);
      if (hasMark) for (const id of [group, session]) if (ids.has(id)) ownIds.add(id);
    }
    const isOurs = ({ pid, group, session, started, hasMark }: ProcessInfo): boolean =>
      ownIds.has(group) || ownIds.has(session) || hasMark === true || lastMembers.get(pid) === started;
    const untouchable = ancestors(all);
    const processes = groupOnly
      ? all.filter(({ pid, group }) => ownIds.has(group) && !untouchable.has(pid))
      : withChildren(all, isOurs, untouchable);
    lastMembers = new Map(processes.map(({ pid, started }) => [pid, started]));
    const shared = new Set(all.filter(({ pid }) => untouchable.has(pid)).map(({ group }) => group));
    const groups = [...new Set(processes.map(({ group }) => group))].filter((id) => !shared.has(id));
    return { processes, groups, isUnsettled: all.some(({ hasMark }) => hasMark === undefined) };
  }

  return { look };
}

/** Looks for members now and then, so that those that leave the group stay known. Rarely, because it costs time. */
export function watchFamily(family: Family): () => void {
  let waitMs = 50;
  let timer = setTimeout(lookAndWait, waitMs);
  function lookAndWait(): void {
    const begun = performance.now();
    family.look({ byMark: false });
    waitMs = Math.max(Math.min(2 * waitMs, 1_000), 100 * (performance.now() - begun));
    timer = setTimeout(lookAndWait, waitMs);
  }
  return () => clearTimeout(timer);
}

/** This process and its ancestors, as far as they are in the list. */
function ancestors(all: ProcessInfo[]): Set<number> {
  const parents = new Map(all.map(({ pid, parent }) => [pid, parent]));
  const pids = new Set<number>();
  for (let pid: number | undefined = process.pid; pid !== undefined && !pids.has(pid); pid = parents.get(pid)) {
    pids.add(pid);
  }
  return pids;
}

function withChildren(
  all: ProcessInfo[],
  isOurs: (info: ProcessInfo) => boolean,
  untouchable: ReadonlySet<number>,
): ProcessInfo[] {
  const children = new Map<number, ProcessInfo[]>();
  for (const info of all) {
    const siblings = children.get(info.parent);
    if (siblings === undefined) children.set(info.parent, [info]);
    else siblings.push(info);
  }
  const members = new Set<ProcessInfo>();
  const add = (info: ProcessInfo): void => {
    if (!untouchable.has(info.pid)) members.add(info);
  };
  all.filter(isOurs).forEach(add);
  // The loop also visits members that are added meanwhile.
  for (const { pid } of members) children.get(pid)?.forEach(add);
  return [...members];
}
