import type { SearchApi } from "../../contract/api/search.ts";
import type { SessionFinder } from "../session/find.ts";
import type { Search } from "./find.ts";

export function searchApi(search: Search, finder: SessionFinder): SearchApi {
  return {
    async find({ text, limit, session }) {
      const within = session === undefined ? undefined : await finder.find(session);
      return { hits: await search.find(text, limit, within) };
    },
  };
}
