import type { WorkKind } from "../../../contract/work-state.ts";
import type { CliContext } from "../../context.ts";

/** What a bead is worked on as when nobody says: one that contains unfinished others as a track, any other as a task. */
export async function kindOfBead({ api }: Pick<CliContext, "api">, bead: string): Promise<WorkKind> {
  const { children } = await api.beads.show({ bead });
  return children.length > 0 ? "track" : "task";
}
