import type { Finding } from "../../contract/api/doctor.ts";
import { ClewError } from "../../contract/errors.ts";
import { incompleteSessions, restoreSession } from "../session/lifecycle.ts";
import { bringUpToDate } from "../session/open-sessions.ts";
import type { SessionParts } from "../session/parts.ts";

/** One thing to look at. `repair` is there when it can be mended without a person. */
export interface Check {
  name: string;
  look(): Promise<CheckResult[]> | CheckResult[];
}

export interface CheckResult {
  status: "ok" | "warning" | "problem";
  message: string;
  hint?: string;
  repair?: () => Promise<string> | string;
}

/** What one repair brings to light the next look mends; something that comes back each time is not mended by more of them. */
const maxLooks = 4;

/**
 * Looks at everything Clew relies on; with `repair`, mends what can be mended and says what it did. What was mended may leave
 * something else to mend, also of what was looked at before: then all is looked at again.
 */
export async function examine(checks: Check[], repair: boolean): Promise<Finding[]> {
  const repaired = new Map<string, Finding[]>();
  let findings = await look(checks, repair);
  for (let looks = 1; findings.some(isRepaired) && looks < maxLooks; looks++) {
    for (const finding of findings.filter(isRepaired)) {
      const before = repaired.get(finding.check) ?? [];
      if (!before.some(({ message }) => message === finding.message)) repaired.set(finding.check, [...before, finding]);
    }
    findings = await look(checks, repair);
  }
  return [...new Set(checks.map(({ name }) => name))].flatMap((name) => {
    const mended = repaired.get(name) ?? [];
    const last = findings.filter((each) => each.check === name && !mended.some(isSameAs(each)));
    const rest = mended.length > 0 ? last.filter(({ status }) => status !== "ok") : last;
    return [...mended, ...rest];
  });
}

function isRepaired({ status }: Finding): boolean {
  return status === "repaired";
}

function isSameAs(one: Finding): (other: Finding) => boolean {
  return (other) => other.status === one.status && other.message === one.message;
}

async function look(checks: Check[], repair: boolean): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const check of checks) {
    for (const outcome of await outcomesOf(check)) findings.push(await findingOf(check.name, outcome, repair));
  }
  return findings;
}

/** A check that fails is a finding, not the end of the examination. */
async function outcomesOf(check: Check): Promise<CheckResult[]> {
  try {
    return await check.look();
  } catch (error) {
    const hint = error instanceof ClewError ? { hint: error.hint } : {};
    return [{ status: "problem", message: (error as Error).message, ...hint }];
  }
}

async function findingOf(check: string, { repair, ...outcome }: CheckResult, mayRepair: boolean): Promise<Finding> {
  if (repair && mayRepair) {
    try {
      return { check, status: "repaired", message: await repair() };
    } catch (error) {
      const hint = error instanceof ClewError ? { hint: error.hint } : {};
      return { check, status: "problem", message: `${outcome.message}; ${(error as Error).message}`, ...hint };
    }
  }
  const hint = repair && outcome.hint === undefined ? { hint: "clew doctor --repair mends this" } : {};
  return { check, ...outcome, ...hint };
}

/** The checks on the sessions' files, and on what Clew itself derives from them. */
export function projectionChecks(sessions: SessionParts): Check[] {
  const { projections } = sessions;
  return [
    {
      name: "session files",
      look: async () => {
        const incomplete = await incompleteSessions(sessions);
        if (incomplete.length === 0) return [{ status: "ok", message: "hold all that was logged" }];
        return incomplete.map((id) => ({
          status: "warning" as const,
          message: `${id} lacks entries in session.md; they are shown from its write-ahead copy, and come back with the next one`,
          repair: async () => {
            await restoreSession(sessions, id);
            return `${id}: session.md has all of its entries again`;
          },
        }));
      },
    },
    {
      name: "index",
      look: async () => {
        await bringUpToDate(sessions);
        const { stale, sessions: count } = await projections.checkIndex();
        if (stale.length === 0) return [{ status: "ok", message: `agrees with all ${count} sessions` }];
        return [{ status: "ok", message: `${stale.length} of ${count} sessions had changed; the index follows now` }];
      },
    },
    {
      name: "unreadable sessions",
      look: async () => {
        const unreadable = await projections.ask((index) => index.unreadable());
        if (unreadable.length === 0) return [{ status: "ok", message: "none" }];
        return unreadable.map(({ path, reason }) => ({
          status: "problem" as const,
          message: `${path}: ${reason}`,
          hint: "open the file and mend that line",
        }));
      },
    },
    {
      name: "search",
      look: async () => {
        await projections.refreshSearch();
        return [{ status: "ok", message: "follows the index" }];
      },
    },
  ];
}
