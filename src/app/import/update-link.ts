import { ofRedactedParts } from "../../contract/redacted.ts";
import type { SubagentEntry } from "../../contract/session.ts";
import type { SavedRecord } from "../session/ports.ts";
import type { BulkRecords } from "./ports.ts";

/** A subagent that its agent's session names already has gone on: the count there follows. Undefined when it does already. */
export async function updateLink(
  bulk: BulkRecords,
  parent: string,
  link: SubagentEntry,
): Promise<SavedRecord | undefined> {
  return bulk.withLock(parent, async () => {
    const { record } = await bulk.open(parent);
    if (!record.updateLink(link)) {
      record.discard();
      return undefined;
    }
    const { saved, written } = record.finish(ofRedactedParts({}));
    await written;
    return saved;
  });
}

/** The sessions of subagents that a session names. */
export function linkedIn({ subagents = [] }: { subagents?: { session?: string }[] }): Set<string> {
  return new Set(subagents.flatMap(({ session }) => session ?? []));
}
