import type { SearchApi } from "../../contract/api/search.ts";
import type { SessionFinder } from "../session/find.ts";
import type { Search } from "./find.ts";

export function searchApi(search: Search, finder: SessionFinder): SearchApi {
  return {
    async find({ text, session, ...page }) {
      const within = session === undefined ? undefined : await finder.find(session);
      return search.find(text, { ...page, within });
    },
  };
}
