import type { RefusedItem } from "../../contract/api/inbox.ts";
import type { BeadReader } from "../bead/ports.ts";
import type { RefusedBeads } from "./refused-beads.ts";

interface Parts {
  /** Costs next to nothing. */
  hasAny: () => boolean;
  refused: () => Promise<Pick<RefusedBeads, "all">>;
  beads: () => Promise<{ store: Pick<BeadReader, "find"> }>;
}

/** Beads that could not be started and wait for a person. What reads them is loaded only where there are any. */
export async function waitingRefusals({ hasAny, refused, beads }: Parts): Promise<RefusedItem[]> {
  if (!hasAny()) return [];
  const { refusedItems } = await import("./refused-beads.ts");
  const { store } = await beads();
  return refusedItems((await refused()).all(), (id) => store.find(id));
}
