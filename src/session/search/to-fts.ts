import type { SearchQuery } from "./query.ts";

/** The query in FTS5's language. Words hold letters, digits and marks only, so that quoting them is enough. */
export function toFts({ terms }: SearchQuery): string {
  return terms.map(({ words, prefix }) => `"${words.join(" ")}"${prefix ? " *" : ""}`).join(" AND ");
}
