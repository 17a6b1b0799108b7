import type { ProcessInfo, ProcessTable } from "./process-table.ts";

/** The first process of a family: it leads a group and a session of its own. */
export interface Leader {
  pid: number;
  started: string;
  /** In the environment of all that it starts. */
  mark: string;
}

/** Leaders and all that they started, as far as it can be told. */
export interface Family {
  /** Who is alive now. Whoever was seen once stays known, also when its parent dies and it moves away. */
  look(options: MemberOptions): Members;
}

export interface MemberOptions {
  /** Whether those who left group and session, and were never seen, are looked for as well. */
  byMark: boolean;
  /** Whether those who left are let be, also where they were seen. */
  groupOnly?: boolean;
}

export interface Members {
  processes: ProcessInfo[];
  /** Groups in which nobody but they can be. */
  groups: number[];
  /** Whether there is somebody of whom nobody can tell yet: a further look will. */
  isUnsettled: boolean;
}

export interface FamilyOptions {
  table: ProcessTable;
  leaders: Leader[];
  /** Whether the leaders may be gone for long, so that their pids may be others' by now. */
  mayBeStale: boolean;
}

/**
 * To a family belong: its leaders; who is in a group or session that a leader made; who has a mark, when asked; who was
 * seen before; and the children of all these. Never this process, nor one that it runs within.
 */
export function createFamily({ table, leaders, mayBeStale }: FamilyOptions): Family {
  const ids = new Set(leaders.map(({ pid }) => pid));
  const starts = new Set(leaders.map(({ pid, started }) => `${pid} ${started}`));
  const marks = new Set(leaders.map(({ mark }) => mark));
  /** Ids of groups and sessions that are ours. The system gives no pid again that still names one of these. */
  const ownIds = new Set(mayBeStale ? [] : ids);
  /** Nobody belongs to the family who was there before the first of them. */
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

/** Looks now and then, so that those who move away are known; gently, because it costs something. */
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

/** This process and those it runs within, as far as they are among these. */
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
  // What is added while this goes through the set is gone through as well.
  for (const { pid } of members) children.get(pid)?.forEach(add);
  return [...members];
}
