import type { ChildProcess } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MergeRepo } from "./merge-repo.ts";
import { outcomeOf } from "./repo.ts";
import { until } from "./runs.ts";

/** A hook that holds a landing up once git has changed index and files, and before the target has moved. */
export function holdLanding(repo: MergeRepo): void {
  const hook = `#!/bin/sh
if [ "$1" = prepared ] && grep -q refs/heads/main; then
  cd "${repo.root}"
  echo x > landing
  while [ -e hold ]; do sleep 0.05; done
  [ ! -e refuse ]
fi
`;
  writeFileSync(join(repo.root, ".git/hooks/reference-transaction"), hook, { mode: 0o755 });
  repo.put("hold", "");
  repo.put(".git/info/exclude", "hold\nlanding\nrefuse\n");
}

/** Approves, and waits until the landing is held up. */
export async function landingHeld(
  repo: MergeRepo,
): Promise<{ child: ChildProcess; ended: ReturnType<typeof outcomeOf> }> {
  holdLanding(repo);
  const child = repo.start(["run", "approve", "proj-1"]);
  const ended = outcomeOf(child);
  await until(() => existsSync(join(repo.root, "landing")));
  return { child, ended };
}
