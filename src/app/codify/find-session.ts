import { ClewError } from "../../contract/errors.ts";
import type { CodifyParts } from "./parts.ts";

/** The session that is meant; a bead's name stands for its newest run. `note` hears of that. */
export async function findSession(
  { find, sessions }: Pick<CodifyParts, "find" | "sessions">,
  name: string,
  note: (text: string) => void,
): Promise<string> {
  try {
    return await find(name);
  } catch (error) {
    if (!(error instanceof ClewError && ["unknown_session", "invalid_id"].includes(error.code))) throw error;
    const rows = await sessions.projections.ask((index) => index.newest({ archived: true }, Infinity));
    const run = rows.find((each) => each.kind === "run" && each.bead === name);
    if (!run) throw error;
    note(`${name} is a bead: this is ${run.session_id}, the session of its newest run`);
    return run.session_id;
  }
}
