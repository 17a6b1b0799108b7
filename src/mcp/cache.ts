/** How long a client may keep an answer, and whether others may be given it. */
export interface Cache {
  ttlMs: number;
  cacheScope: "public" | "private";
}

/** For what may be another at the next look. */
export const uncached: Cache = { ttlMs: 0, cacheScope: "private" };
