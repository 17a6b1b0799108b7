import type { SearchApi } from "../../contract/api/search.ts";
import type { SessionParts } from "../session/parts.ts";
import { findText } from "./find.ts";

interface Parts {
  sessions: SessionParts;
  /** The id of the session that a person names. */
  findSession: (name: string) => Promise<string>;
}

export function searchApi({ sessions, findSession }: Parts): SearchApi {
  return {
    async find({ text, session, ...page }) {
      const within = session === undefined ? undefined : await findSession(session);
      return findText(sessions, text, { ...page, within });
    },
  };
}
