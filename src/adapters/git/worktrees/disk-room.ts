import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import type { GitCalls } from "../git-calls.ts";
import type { Repository } from "../repository.ts";
import { WorktreeRefusal } from "./refusal.ts";
import { rootPaths } from "../../layout.ts";

/** Throws a Refusal when the disk has less room than a checkout of this commit takes, unless git cannot tell. */
export async function refuseNoRoom(git: GitCalls, { root }: Repository, base: string): Promise<void> {
  const checkout = await sizeOfCheckout(git, root, base);
  if (!checkout) return;
  const folder = rootPaths.worktrees(root);
  const { bavail, bsize, files, ffree } = await statfs(existsSync(folder) ? folder : root);
  const free = bavail * bsize;
  if (checkout.bytes > free) {
    throw noRoom(folder, `it takes ${formatBytes(checkout.bytes)}, ${formatBytes(free)} are free`);
  }
  // Some file systems have no limit for files, and report zero.
  if (files === 0 || checkout.files <= ffree) return;
  throw noRoom(folder, `it takes ${checkout.files} files and folders, ${ffree} can be made`);
}

function noRoom(folder: string, numbers: string): WorktreeRefusal {
  const hint = "free some space; clew worktree prune removes worktrees that nobody needs";
  return new WorktreeRefusal(`no room for a worktree in ${folder}: ${numbers}`, { hint });
}

type CheckoutSize = Record<"bytes" | "files", number>;

/** Undefined when it will not be the whole tree, or git would have to fetch what it does not have. */
async function sizeOfCheckout(git: GitCalls, root: string, base: string): Promise<CheckoutSize | undefined> {
  const partialSettings = String.raw`^(core\.sparsecheckout|extensions\.partialclone|remote\..*\.promisor)$`;
  const settings = await git.plain(root, ["config", "--get-regexp", partialSettings]);
  if (/ (?!false$)\S+$/m.test(settings.stdout.toString("utf8"))) return undefined;
  const listed = await git.plain(root, ["ls-tree", "-r", "-t", "-l", "-z", base], { env: { GIT_NO_LAZY_FETCH: "1" } });
  if (listed.code !== 0) return undefined;
  const checkout: CheckoutSize = { bytes: 0, files: 0 };
  for (const [, type, bytes] of listed.stdout.toString("latin1").matchAll(/(?:^|\0)\d+ (\w+) [0-9a-f]+ +(\S+)\t/g)) {
    checkout.files++;
    if (type !== "blob") continue;
    if (!/^\d+$/.test(bytes!)) return undefined;
    checkout.bytes += Number(bytes);
  }
  return checkout;
}

function formatBytes(bytes: number): string {
  const mebibytes = bytes / 2 ** 20;
  return mebibytes < 1 ? `${Math.ceil(bytes / 1024)} KiB` : `${mebibytes.toFixed(1)} MiB`;
}
