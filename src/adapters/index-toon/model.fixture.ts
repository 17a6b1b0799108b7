import { assumeRedacted } from "../../contract/redacted.ts";
import type { IndexChanges, IndexedSession, SessionIndex } from "../../app/session/ports.ts";
import type { StatsGroup } from "../../contract/api/session-list.ts";
import {
  type GroupBy,
  groupings,
  type IndexedItem,
  type RowFilter,
  type RowPlace,
  type SessionRow,
  type UnreadableSession,
} from "../../contract/session-row.ts";

const filters: RowFilter[] = [
  {},
  { archived: true },
  ...["coder", "coder@1.0", "co", "@org/coder", "co der", "code%20r@1", "", "null", 'say "hi"'].map((agent) => ({
    agent,
  })),
  ...["dev", "null", "a,b", "", "two\nlines"].map((channel) => ({ channel, archived: true })),
  ...["2026-01-01-fix", "a,b"].map((parent) => ({ parent, archived: true })),
  ...["failed", "active", "nonsense"].map((status) => ({ status })),
  ...["run", "chat"].map((kind) => ({ kind, archived: true })),
  ...["2026-01-01T10:00:00Z", "2026-01-01T12:00:00+01:00", "2000-01-01"].map((since) => ({ since })),
  ...["2026-01-01-fix", "2026-01-10-zebra", "zzz"].map((session_id) => ({
    after: { startedMs: Date.parse("2026-01-01T11:00:00Z"), session_id },
  })),
  { agent: "coder", status: "failed", kind: "run", channel: "dev", since: "2026-01-01T00:00:00Z", archived: true },
];
const someIds = ["2026-01-01-fix", "2026-01-10-zebra", "a,b", "東京", "unknown"];

type Asked = Pick<SessionIndex, "newest" | "get" | "ids" | "unreadable" | "inbox" | "totals">;

/** The questions about all sessions, each answered from one state of the index. */
export function questions(index: Asked): Record<string, () => unknown> {
  const all: Record<string, () => unknown> = {
    ids: () => index.ids(),
    unreadable: () => index.unreadable(),
    inbox: () => index.inbox(),
    "newest 0": () => index.newest({}, 0),
  };
  for (const id of someIds) all[`get ${id}`] = () => JSON.stringify(index.get(id));
  for (const by of groupings) all[`totals ${by}`] = () => index.totals(by);
  for (const filter of filters) {
    for (const limit of [2, Infinity]) {
      all[`newest ${limit} ${JSON.stringify(filter)}`] = () => index.newest(filter, limit);
    }
  }
  return all;
}

/** All answers, by question. */
export function answers(index: Asked): Record<string, unknown> {
  return Object.fromEntries(Object.entries(questions(index)).map(([question, ask]) => [question, ask()]));
}

/** Makes the whole index anew; `expected`, when it was told what would come. */
export function rebuild(
  index: SessionIndex,
  sessions: (IndexedSession | UnreadableSession)[],
  expected = sessions.map((each) => ("row" in each ? each.row.session_id : each.session_id)),
): void {
  const next = index.rebuild(expected);
  for (const session of sessions) next.add("row" in session ? assumeRedacted(session) : session);
  next.write();
}

/** What the index should say, from lists and loops. */
export class Model implements Asked {
  readonly #sessions = new Map<string, IndexedSession>();
  readonly #unreadable = new Map<string, UnreadableSession>();

  /** The sessions after some changes, one after the other. */
  static after(...steps: IndexChanges[]): Model {
    const model = new Model();
    for (const changes of steps) model.apply(changes);
    return model;
  }

  apply({ put = [], unreadable = [], remove = [] }: IndexChanges): void {
    for (const session of put) this.#set(session.row.session_id, this.#sessions, session);
    for (const session of unreadable) this.#set(session.session_id, this.#unreadable, session);
    for (const id of remove) this.#forget(id);
  }

  rebuild(index: SessionIndex): void {
    rebuild(index, [...this.#sessions.values(), ...this.#unreadable.values()]);
  }

  rows(): SessionRow[] {
    return [...this.#sessions.values()].map(({ row }) => row).sort(byId);
  }

  /** All that is known of one session, as text. */
  known(id: string): string {
    return JSON.stringify([this.#sessions.get(id), this.#unreadable.get(id)]);
  }

  newest(filter: RowFilter, limit: number): SessionRow[] {
    return this.rows()
      .filter((row) => filter.archived === true || !row.archived)
      .filter((row) => filter.status === undefined || row.status === filter.status)
      .filter((row) => filter.kind === undefined || row.kind === filter.kind)
      .filter((row) => filter.parent === undefined || row.parent === filter.parent)
      .filter((row) => filter.channel === undefined || row.channels.includes(filter.channel))
      .filter((row) => filter.since === undefined || ms(row.started) >= ms(filter.since))
      .filter((row) => filter.agent === undefined || row.participants.some((name) => isAgent(name, filter.agent ?? "")))
      .sort((a, b) => ms(b.started) - ms(a.started) || byId(b, a))
      .filter((row) => filter.after === undefined || isBehind(row, filter.after))
      .slice(0, limit);
  }

  get(id: string): SessionRow | undefined {
    return this.#sessions.get(id)?.row;
  }

  ids(): string[] {
    return [...this.#sessions.keys(), ...this.#unreadable.keys()].sort(byText);
  }

  unreadable(): UnreadableSession[] {
    return [...this.#unreadable.values()].sort(byId);
  }

  inbox(): IndexedItem[] {
    return this.rows().flatMap(({ session_id, started }) =>
      (this.#sessions.get(session_id)?.inbox ?? []).map((item) => ({ ...item, started })),
    );
  }

  totals(by: GroupBy): StatsGroup[] {
    const mergedBeads = this.rows().flatMap(({ bead, merged }) => (merged && bead !== null ? [bead] : []));
    const merged = (bead: string | null): string =>
      bead !== null && mergedBeads.includes(bead) ? bead : "(not merged)";
    const rows = this.rows().map((row) => {
      if (by !== "merge") return row;
      const used = row.used.map((share) => ({ ...share, bead: merged(share.bead) }));
      return { ...row, used, bead: row.bead === null && used.length > 0 ? null : merged(row.bead) };
    });
    const keys = [...new Set(rows.flatMap((row) => keysOf(row, by)))].sort(byText);
    return keys
      .map((key) =>
        statsOf(
          key,
          by,
          rows.filter((row) => keysOf(row, by).includes(key)),
        ),
      )
      .sort((a, b) => b.sessions - a.sessions);
  }

  #set<T>(id: string, where: Map<string, T>, session: T): void {
    this.#forget(id);
    where.set(id, session);
  }

  #forget(id: string): void {
    this.#sessions.delete(id);
    this.#unreadable.delete(id);
  }
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const byId = (a: { session_id: string }, b: { session_id: string }): number => byText(a.session_id, b.session_id);
const sumOrNull = (numbers: number[]): number | null => (numbers.length === 0 ? null : sum(numbers));
const microsOrNull = (micros: number[]): number | null => (micros.length === 0 ? null : sum(micros) / 1e6);
const sum = (numbers: number[]): number => numbers.reduce((a, b) => a + b, 0);

/** Nonsense counts as older than all. */
const ms = (text: string): number => (Number.isNaN(Date.parse(text)) ? -1e15 : Date.parse(text));

function isBehind(row: SessionRow, { startedMs, session_id }: RowPlace): boolean {
  const ownMs = ms(row.started);
  return ownMs < startedMs || (ownMs === startedMs && byId(row, { session_id }) < 0);
}

function isAgent(participant: string, agent: string): boolean {
  return participant === agent || /^(.+)@[^@]*$/s.exec(participant)?.[1] === agent;
}

/** The groups that a session counts in. */
function keysOf(row: SessionRow, by: GroupBy): string[] {
  const all = [namesOf(row, by), sharesOf(row, by).map(({ key }) => key)].flat();
  return all.length > 0 ? all : ["(none)"];
}

function namesOf({ participants, channels, status, engines, bead, branch }: SessionRow, by: GroupBy): string[] {
  const one = (name: string | null): string[] => (name === null ? [] : [name]);
  return {
    agent: participants,
    channel: channels,
    status: [status],
    engine: engines,
    bead: one(bead),
    branch: one(branch),
    merge: one(bead),
  }[by];
}

interface Share {
  key: string;
  tokens: number | null;
  micros: number | null;
}

function sharesOf(row: SessionRow, by: GroupBy): Share[] {
  if (by === "status" || by === "branch") {
    const micros = row.cost_usd === null ? null : Math.min(Math.round(row.cost_usd * 1e6), 1e13);
    return [{ key: row[by] ?? "(none)", tokens: row.tokens_used, micros }];
  }
  const field = by === "merge" ? "bead" : by;
  return row.used.map((share) => ({
    key: share[field] ?? "(none)",
    tokens: share.tokens,
    micros: share.cost_micro_usd,
  }));
}

/** Those that tell any; nothing when none does. */
function figuresOf(row: SessionRow, by: GroupBy, key: string, of: "tokens" | "micros"): number[] {
  return sharesOf(row, by).flatMap((share) => (share.key === key ? (share[of] ?? []) : []));
}

function statsOf(key: string, by: GroupBy, rows: SessionRow[]): StatsGroup {
  const durations = rows.flatMap(({ started, ended }) =>
    ended === null ? [] : [Date.parse(ended) - Date.parse(started)],
  );
  const known = durations.filter(Number.isFinite);
  return {
    key,
    sessions: rows.length,
    tokens_used: sumOrNull(rows.flatMap((row) => figuresOf(row, by, key, "tokens"))),
    cost_usd: microsOrNull(rows.flatMap((row) => figuresOf(row, by, key, "micros"))),
    avg_duration_ms: known.length === 0 ? null : Math.round(sum(known) / known.length),
    failure_rate: rows.filter((row) => row.status === "failed").length / rows.length,
  };
}
