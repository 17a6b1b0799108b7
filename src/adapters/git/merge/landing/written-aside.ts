import { lstatSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { GitCalls } from "../../git-calls.ts";
import { answerOf } from "../plumbing/ask.ts";
import { explainErrors } from "../../../files/failure.ts";
import type { Checkout } from "../../checkout.ts";
import type { Written } from "./path-state.ts";
import { joinPaths, onDisk, type BytePath } from "../plumbing/paths.ts";
import { nothing, type RawChange } from "../plumbing/raw-diff.ts";

/**
 * Has git write both sides of some changes into a folder aside, with the attributes of each side, as it would in the
 * checkout, and removes them again when `use` is done.
 */
export async function withWrittenAside<T>(
  git: GitCalls,
  { gitDir }: Checkout,
  commits: { old: string; new: string },
  changes: RawChange[],
  use: (written: Written) => T,
): Promise<T> {
  const prefix = join(tmpdir(), "clew-mend-");
  const aside = explainErrors(prefix, () => mkdtempSync(prefix));
  try {
    for (const side of ["old", "new"] as const) {
      const folder = join(aside, side);
      explainErrors(folder, () => mkdirSync(folder));
      const paths = changes.filter((change) => change[side].mode !== nothing).map(({ path }) => path);
      const options = { env: { GIT_INDEX_FILE: join(aside, `${side}.index`) } };
      const at = [`--git-dir=${gitDir}`, `--work-tree=${folder}`];
      await answerOf(git, folder, [...at, "read-tree", commits[side]], options);
      const write = [...at, "checkout-index", "--force", "--quiet", "-z", "--stdin"];
      await answerOf(git, folder, write, { ...options, stdin: joinPaths(paths) });
    }
    return use((side, path) => contentAt(join(aside, side), path));
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

function contentAt(folder: string, path: BytePath): Buffer | undefined {
  const file = onDisk(folder, path);
  try {
    const stats = lstatSync(file);
    if (stats.isSymbolicLink()) return readlinkSync(file, "buffer");
    return stats.isFile() ? readFileSync(file) : undefined;
  } catch {
    return undefined;
  }
}
