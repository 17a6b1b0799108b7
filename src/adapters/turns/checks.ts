import type { Check, CheckResult } from "../../app/doctor/examine.ts";
import type { SessionDrivers } from "../../app/session/drivers.ts";
import { ClewError } from "../../contract/errors.ts";
import type { Disk } from "../files/disk.ts";
import type { Layout } from "../layout.ts";
import { sessionIdPattern } from "../../contract/session-values.ts";
import { turnPaths } from "../layout/turn-paths.ts";
import { turnFolders } from "./turn-folders.ts";
import { hasTurns } from "./turn-signs.ts";

/** What the doctor says of turns: lines that cannot be read, what a crash left aside, and what deleted sessions left. */
export function turnChecks(disk: Disk, layout: Layout, drivers: SessionDrivers): Check[] {
  return [{ name: "turns", look: () => lookAtTurns(disk, layout, drivers) }];
}

function lookAtTurns(disk: Disk, layout: Layout, drivers: SessionDrivers): CheckResult[] {
  const ids = disk.list(layout.sessions).filter((name) => sessionIdPattern.test(name));
  const withTurns = ids.filter((id) => hasTurns(disk, layout, id));
  const found = [
    ...withTurns.flatMap((id) => lookAtSession(disk, layout, drivers, id)),
    ...journalsWithoutSession(disk, layout, new Set(ids)),
  ];
  if (found.length > 0) return found;
  return [
    { status: "ok", message: `${withTurns.length} ${withTurns.length === 1 ? "session" : "sessions"} with turns` },
  ];
}

function lookAtSession(disk: Disk, layout: Layout, drivers: SessionDrivers, id: string): CheckResult[] {
  const store = turnFolders(disk, layout);
  try {
    store.lines(id);
  } catch (error) {
    if (!(error instanceof ClewError)) throw error;
    return [{ status: "problem", message: error.message, hint: error.hint }];
  }
  const isAside = (name: string): boolean => turnPaths.turnOfAside(name) !== undefined;
  const aside = disk.list(turnPaths.session(layout, id)).filter(isAside);
  if (aside.length === 0 || drivers.isDriven(id)) return [];
  const message = `a crash left ${aside.join(", ")} in ${id}`;
  const repair = (): string => {
    const release = drivers.tryAcquire(id);
    if (!release) return "another process sees to it";
    try {
      store.mend(id);
    } finally {
      release();
    }
    return `completed or removed what was left in ${id}`;
  };
  return [{ status: "warning", message, repair }];
}

function journalsWithoutSession(disk: Disk, layout: Layout, ids: ReadonlySet<string>): CheckResult[] {
  const isLeft = (name: string): boolean => sessionIdPattern.test(name) && !ids.has(name);
  return disk
    .list(turnPaths.journalsFolder(layout))
    .filter(isLeft)
    .map((id): CheckResult => ({
      status: "warning",
      message: `there is no session ${id}, but what its turns changed is kept in git's folder`,
      hint: `it may have left with its branch; if not, remove ${turnPaths.journals(layout, id)}`,
    }));
}
