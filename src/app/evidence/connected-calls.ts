import type { EvidenceSight } from "../../contract/evidence.ts";
import { toolKindOf } from "../../engine/tool-kinds.ts";
import { disagreement } from "../../evidence/agreement.ts";
import type { Observation } from "./observed-calls.ts";
import type { TranscriptLook, TranscriptSight } from "./ports.ts";

/**
 * The calls of a connected agent, as its hooks saw them and its engine's transcript tells of them. An agent can call a hook itself; what
 * its engine writes of each call is the other witness.
 */
export function connectedCalls(sights: readonly EvidenceSight[], toldBy: TranscriptLook): Observation[] {
  const ids = [...new Set(sights.map(({ tool_use_id: id }) => id))];
  return ids.map((id) => {
    const ofCall = sights.filter((sight) => sight.tool_use_id === id);
    const before = ofCall.find(({ isAfter }) => !isAfter);
    const after = ofCall.find(({ isAfter }) => isAfter);
    const seen = after ?? before!;
    const told = toldBy(seen);
    const problem =
      disagreement({ expectsHooks: true, stream: told, before, after }) ?? (told && after && displaced(told, after));
    const { tool, files, folder } = seen;
    const command = before?.becomes ?? seen.command;
    return {
      tool,
      kind: toolKindOf(tool),
      tool_use_id: id,
      ...(command !== undefined && { command }),
      ...(files && { files }),
      ...(folder !== undefined && { folder }),
      failed: told?.failed ?? after?.failed ?? true,
      exit: after?.exit ?? null,
      tree_before: before?.tree ?? null,
      tree: after?.tree ?? null,
      witnesses: [...(told ? ["transcript" as const] : []), ...(after ? ["hook" as const] : [])],
      ...(problem !== undefined && { problem }),
    };
  });
}

/** An engine writes of a call when it ends; so much later its hook may be heard, on a busy machine. */
const patienceMs = 60_000;

/** Why a hook tells of another place or time than the engine itself: an agent may call a hook with the id of an earlier call. */
function displaced(told: TranscriptSight, after: EvidenceSight): string | undefined {
  if (told.folder !== undefined && told.folder !== after.folder)
    return `the engine itself tells that it ran in ${told.folder}`;
  const apart = told.endedAt === undefined ? 0 : Math.abs(Date.parse(told.endedAt) - Date.parse(after.at));
  return apart > patienceMs ? `the engine itself tells that it ended at ${told.endedAt}, its hook later` : undefined;
}
