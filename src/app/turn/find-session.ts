import { ClewError } from "../../contract/errors.ts";
import type { SessionParts } from "../session/parts.ts";

interface Parts {
  sessions: Pick<SessionParts, "records" | "projections">;
  find: (name: string) => Promise<string>;
}

/** The session of kind turns that a person names; without a name, the one that was created last. */
export async function findTurnSession(parts: Parts, name: string | undefined): Promise<string> {
  if (name === undefined || name === "latest") return latestTurnSession(parts);
  const id = await parts.find(name);
  const { kind } = (await parts.sessions.records.read(id)).frontmatter;
  if (kind === "turns") return id;
  throw new ClewError(
    "invalid_input",
    `session ${id} is of kind ${kind ?? "work"}, and has no turns`,
    "clew session list --kind turns shows those that have; clew session new NAME makes one",
  );
}

async function latestTurnSession({ sessions: { projections } }: Parts): Promise<string> {
  await projections.refresh();
  const [latest] = await projections.ask((index) => index.newest({ kind: "turns" }, 1));
  if (latest) return latest.session_id;
  throw new ClewError("unknown_session", "there is no session with turns yet", "make one: clew session new NAME");
}
