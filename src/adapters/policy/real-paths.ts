import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { attempt } from "../../text/attempt.ts";
import { checkoutIn } from "../git/checkout.ts";
import { repositoryAround } from "../git/repository.ts";

/** Where a path leads; of what is not there, where it would be. */
export function realPath(path: string): string {
  const real = attempt(() => realpathSync(path), undefined);
  if (real !== undefined) return real;
  const parent = dirname(path);
  return parent === path ? path : join(realPath(parent), basename(path));
}

/** The top of the checkout that a folder stands in, as the folder is written, and that of its repository. Never throws. */
export function topsOf(folder: string): string[] {
  const root = attempt(() => repositoryAround(folder)?.root, undefined);
  return [checkoutTop(folder) ?? folder, ...(root === undefined ? [] : [root])];
}

function checkoutTop(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (attempt(() => checkoutIn(at), undefined)) return at;
    if (at === dirname(at)) return undefined;
  }
}
