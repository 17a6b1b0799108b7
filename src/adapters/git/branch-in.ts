import { withFallback } from "../files/failure.ts";
import { checkoutAround } from "./checkout.ts";
import { headBranch } from "./refs.ts";

/** The branch that is checked out around a folder; undefined when HEAD is detached, or nothing is checked out there. */
export function branchIn(folder: string): string | undefined {
  const checkout = withFallback(() => checkoutAround(folder), undefined);
  return checkout && headBranch(checkout);
}
