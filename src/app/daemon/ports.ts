import type { DaemonInfo, ListedToken } from "../../contract/api/daemon.ts";

/** What a token allows. */
export interface TokenGrant {
  id: string;
  readOnly: boolean;
  /** It may tell hooks, and nothing else. */
  hooksOnly: boolean;
}

/** The tokens of a repository. Only their hashes are kept. */
export interface Tokens {
  /** The only time that the token itself is told. */
  create(wanted: {
    name?: string | undefined;
    readOnly: boolean;
    hooksOnly?: boolean;
    expires?: string | undefined;
  }): Promise<ListedToken & { token: string }>;
  list(): ListedToken[];
  /** False when there is no such token. */
  revoke(id: string): Promise<boolean>;
  /** What a token allows now; undefined when it is unknown, expired or revoked. How long that takes tells nothing of others. */
  check(token: string): TokenGrant | undefined;
  /** Why a token does not count, for whoever holds it. Who does not hold it learns nothing of it. */
  refusalOf(token: string): string;
}

/** Where a daemon can be reached. */
export interface Doors {
  socket: string;
  /** On loopback; null when it listens on its socket alone. */
  url: string | null;
}

export interface DaemonServer extends Doors {
  /** Answers what was asked already, for a moment, and cuts off the rest. */
  close(): Promise<void>;
}

/** Opens the doors of a daemon: its Unix socket, and with `port` loopback. Throws when it cannot. */
export type Listen = (
  at: { socket: string; port?: number | undefined },
  self: () => DaemonInfo,
) => Promise<DaemonServer>;

/** Answers to requests that may be repeated, by their key; kept for a day. */
export interface KeptAnswers {
  /** Notes that a request begins, synced. */
  begin(
    key: string,
    fingerprint: string,
  ): Promise<
    | { kind: "new" }
    /** The same key, for another request. */
    | { kind: "other" }
    /** It was begun and has not ended, or the daemon died meanwhile. */
    | { kind: "unfinished" }
    | { kind: "answered"; answer: KeptAnswer }
  >;
  finish(key: string, fingerprint: string, answer: KeptAnswer): Promise<void>;
  forget(key: string): Promise<void>;
}

export interface KeptAnswer {
  status: number;
  type: string;
  text: string;
}
