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

/** Looks at everything Clew relies on; with `repair`, mends what can be mended and says what it did. */
export async function examine(checks: Check[], repair: boolean): Promise<Finding[]> {
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
