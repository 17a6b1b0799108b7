import type { Completions } from "./offers.ts";
import type { WithApi } from "./with-api.ts";

/** Ids that begin so: those of beads for prompts, and those of sessions for `clew://session/{id}`. */
export function repositoryCompletions(withApi: WithApi): Completions {
  return {
    complete: (subject, { name, value }) =>
      withApi(async ({ beads, sessions }) => {
        if (subject === "prompt" && name === "bead")
          return (await beads.list({})).beads.map(({ id }) => id).filter((id) => id.startsWith(value));
        if (subject === "resource" && name === "id")
          return (await sessions.list({ limit: looked })).sessions
            .map(({ session_id }) => session_id)
            .filter((id) => id.startsWith(value));
        return [];
      }),
  };
}

/** The newest sessions: who wants an older one searches. */
const looked = 1_000;
