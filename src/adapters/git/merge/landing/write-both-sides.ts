import { lstatSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { GitCalls } from "../../git-calls.ts";
import { answerOf } from "../plumbing/ask.ts";
import { explainErrors } from "../../../files/failure.ts";
import type { Checkout } from "../../checkout.ts";
import type { ExpectedContent } from "./path-state.ts";
import { joinPaths, diskPath, type BytePath } from "../plumbing/paths.ts";
import { absentMode, type RawChange } from "../plumbing/raw-diff.ts";

/**
 * Has git write both sides of some changes into a temporary folder, with the attributes of each side, as it would in the
 * checkout. `use` reads them; then they are removed.
 */
export async function withWrittenSides<T>(
  git: GitCalls,
  { gitDir }: Checkout,
  commits: { old: string; new: string },
  changes: RawChange[],
  use: (written: ExpectedContent) => T,
): Promise<T> {
  const prefix = join(tmpdir(), "clew-mend-");
  const tempFolder = explainErrors(prefix, () => mkdtempSync(prefix));
  try {
    for (const side of ["old", "new"] as const) {
      const folder = join(tempFolder, side);
      explainErrors(folder, () => mkdirSync(folder));
      const paths = changes.filter((change) => change[side].mode !== absentMode).map(({ path }) => path);
      const options = { env: { GIT_INDEX_FILE: join(tempFolder, `${side}.index`) } };
      const gitDirFlags = [`--git-dir=${gitDir}`, `--work-tree=${folder}`];
      await answerOf(git, folder, [...gitDirFlags, "read-tree", commits[side]], options);
      const checkoutCommand = [...gitDirFlags, "checkout-index", "--force", "--quiet", "-z", "--stdin"];
      await answerOf(git, folder, checkoutCommand, { ...options, stdin: joinPaths(paths) });
    }
    return use((side, path) => contentAt(join(tempFolder, side), path));
  } finally {
    rmSync(tempFolder, { recursive: true, force: true });
  }
}

function contentAt(folder: string, path: BytePath): Buffer | undefined {
  const file = diskPath(folder, path);
  try {
    const stats = lstatSync(file);
    if (stats.isSymbolicLink()) return readlinkSync(file, "buffer");
    return stats.isFile() ? readFileSync(file) : undefined;
  } catch {
    return undefined;
  }
}
