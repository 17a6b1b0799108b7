import { ClewError } from "../../contract/errors.ts";
import type { Check, CheckResult } from "./examine.ts";
import type { RunGround } from "../run/ports.ts";
import type { StartRules } from "../run/refusals.ts";

export interface CheckedGround {
  ground: RunGround;
  rules: Pick<StartRules, "branch">;
}

/** What the doctor says of what every run needs before it begins. */
export function groundChecks(open: () => Promise<CheckedGround>): Check[] {
  return [
    { name: "commits", look: async () => lookAtCommits(await open()) },
    { name: "room", look: async () => lookAtRoom(await open()) },
  ];
}

/** What a run begins at, and in whose name it commits. Sessions need neither, so that it is no problem by itself. */
async function lookAtCommits({ ground, rules }: CheckedGround): Promise<CheckResult[]> {
  const outcomes: CheckResult[] = [];
  let target = "";
  await tellRefusal(outcomes, "warning", () => void ({ target } = rules.branch(undefined)));
  await tellRefusal(outcomes, "warning", () => ground.refuseNameless());
  return outcomes.length > 0 ? outcomes : [{ status: "ok", message: `runs begin at ${target}` }];
}

async function lookAtRoom({ ground, rules }: CheckedGround): Promise<CheckResult[]> {
  const outcomes: CheckResult[] = [];
  let base: string;
  try {
    ({ base } = rules.branch(undefined));
  } catch {
    return [{ status: "ok", message: "nothing to make a worktree of" }];
  }
  await tellRefusal(outcomes, "problem", () => ground.refuseNoRoom(base));
  return outcomes.length > 0 ? outcomes : [{ status: "ok", message: "enough for a worktree" }];
}

async function tellRefusal(
  outcomes: CheckResult[],
  status: CheckResult["status"],
  check: () => void | Promise<void>,
): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (!(error instanceof ClewError)) throw error;
    outcomes.push({ status, message: error.message, hint: error.hint });
  }
}
