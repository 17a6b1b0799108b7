import { realpathSync } from "node:fs";
import { relative } from "node:path";
import type { Machine } from "../../learn/export/harbor/portable-command.ts";
import { attempt } from "../../text/attempt.ts";
import { linkedGitFolders } from "../git/worktrees/list-worktrees.ts";
import { userHome } from "../layout/user-paths.ts";

interface Repository {
  root: string;
  commonDir: string;
}

/** The folders of this machine that commands of sessions name: the checkouts, by each way to write them, and the home. */
export function thisMachine({ root, commonDir }: Repository, env: Record<string, string | undefined>): Machine {
  const home = userHome(env);
  const linked = linkedGitFolders(commonDir).flatMap(({ recordedFolder }) => recordedFolder ?? []);
  const checkouts = [root, ...linked];
  const shown = checkouts.flatMap((folder) => [
    ...movedBack(folder, home),
    ...(env["PWD"] === undefined ? [] : aboveIn(folder, env["PWD"])),
  ]);
  return { checkouts: [...new Set([...checkouts, ...shown])], home: home === "/" ? undefined : home };
}

/** The folder below the home as people write it, where the home itself is a link. */
function movedBack(folder: string, home: string): string[] {
  const real = attempt(() => realpathSync(home), home);
  return real !== home && folder.startsWith(`${real}/`) ? [home + folder.slice(real.length)] : [];
}

/** The folder as it stands in the shell's own path, which may lead through links. */
function aboveIn(folder: string, shellFolder: string): string[] {
  const real = attempt(() => realpathSync(shellFolder), shellFolder);
  const below = relative(folder, real);
  if (below.startsWith("..") || !shellFolder.endsWith(below)) return [];
  const above = below === "" ? shellFolder : shellFolder.slice(0, -below.length - 1);
  return attempt(() => realpathSync(above), "") === folder ? [above] : [];
}
