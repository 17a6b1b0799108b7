import type { SessionAddition, SessionsApi } from "../../contract/api/session.ts";
import type { SessionDocument } from "../../contract/session.ts";
import { endStatuses } from "../../contract/session-values.ts";
import type { SessionFinder } from "./find.ts";
import type { Sessions } from "./lifecycle.ts";
import type { Lists } from "./list.ts";
import type { Log } from "./log.ts";
import type { OpenSessions } from "./open-sessions.ts";
import type { Clock } from "./ports.ts";
import type { Projections } from "./projections.ts";
import type { Show } from "./show.ts";

interface Parts {
  sessions: Sessions;
  openSessions: OpenSessions;
  finder: SessionFinder;
  lists: Lists;
  show: Show;
  projections: Projections;
  log: () => Promise<Log>;
  /** Path of a session's file. */
  pathOf: (id: string) => string;
  clock: Clock;
  /** Resolves after so long, or as soon as the signal is aborted. */
  sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

/** A look at the clock of the file costs next to nothing, so whoever follows looks often. */
const lookEveryMs = 200;

export function sessionsApi(parts: Parts): SessionsApi {
  const { sessions, openSessions, finder, lists, show, projections, log, clock } = parts;
  return {
    async start({ title, channel, agent, model }) {
      const session_id = await sessions.start({ title, channel, agent, model });
      return { session_id, path: parts.pathOf(session_id) };
    },
    find: async ({ session }) => ({ session_id: await finder.find(session) }),

    async log({ session, entry }) {
      const { checkEntry } = await import("./entries.ts");
      const checked = checkEntry(entry, `clew session log ${entry.kind} --help shows the form and an example`);
      const session_id = await finder.find(session);
      return { ok: true, session_id, ...(await (await log()).entry(session_id, checked)) };
    },
    async logLines({ session, lines }) {
      const { logBatch } = await import("./log-lines.ts");
      const id = await finder.find(session);
      return logBatch(await log(), id, lines, () => clock.now());
    },

    async pause({ session }) {
      const session_id = await finder.find(session);
      await sessions.pause(session_id);
      return { session_id, status: "paused" };
    },
    async end({ session, status, error, summary }) {
      const session_id = await finder.find(session);
      const entries = await log();
      if (summary !== undefined) await entries.entry(session_id, { kind: "task_complete", text: summary });
      await sessions.end(session_id, status, error);
      await entries.tellParent(session_id);
      return { session_id, status };
    },
    async rename({ session, title }) {
      const session_id = await finder.find(session);
      return { session_id, title: await sessions.rename(session_id, title) };
    },
    async archive({ session, archived }) {
      const session_id = await finder.find(session);
      await sessions.archive(session_id, archived);
      return { session_id, archived };
    },
    async delete({ session }) {
      const session_id = await finder.find(session);
      await sessions.delete(session_id);
      return { session_id, deleted: true };
    },

    list: (request) => lists.list(request),
    names: async ({ limit }) => ({ sessions: await lists.names(limit) }),
    async show({ session, full }) {
      const id = await finder.find(session);
      await openSessions.bringUpToDate();
      return show.document(id, full);
    },
    async read({ session, full }) {
      const id = await finder.find(session);
      await openSessions.bringUpToDate();
      return show.withEmbeds(id, full);
    },
    async follow({ session, full, known }, options) {
      const id = await finder.find(session);
      const look = (): Promise<SessionDocument> => show.document(id, full);
      const pause = (): Promise<void> => parts.sleep(lookEveryMs, options?.signal);
      return additions({ first: await look(), known, look, pause, signal: options?.signal });
    },
    stats: async ({ session }) => lists.ofSession(await finder.find(session)),
    totals: async ({ by }) => ({ groups: await lists.groups(by) }),

    async context({ session, budget }) {
      const { contextOf } = await import("./resume.ts");
      const session_id = await finder.find(session);
      return { session_id, ...(await contextOf(show, session_id, budget)) };
    },
    async resume({ session, budget }) {
      const { contextOf } = await import("./resume.ts");
      const session_id = await finder.find(session);
      const context = await contextOf(show, session_id, budget);
      await sessions.reopen(session_id);
      return { session_id, ...context };
    },

    async checkIndex() {
      await openSessions.bringUpToDate();
      const { stale, sessions: count } = await projections.checkIndex();
      return { sessions: count, changed: stale };
    },
    async rebuildIndex() {
      await openSessions.bringUpToDate();
      await projections.rebuildIndex();
      await projections.rebuildSearch();
      return { sessions: await projections.ask((index) => index.ids().length) };
    },
  };
}

interface Followed {
  first: SessionDocument;
  /** The number of entries of each phase that somebody has seen. */
  known: number[];
  look: () => Promise<SessionDocument>;
  pause: () => Promise<void>;
  signal: AbortSignal | undefined;
}

/** What comes after what is known, until the session has ended. */
async function* additions({ first, known, look, pause, signal }: Followed): AsyncGenerator<SessionAddition> {
  let counts = known;
  for (let now = first; ; now = await look()) {
    for (const [at, phase] of now.phases.entries()) {
      if (counts[at] === undefined) yield { phase: { ...phase, entries: [] } };
      for (const entry of phase.entries.slice(counts[at] ?? 0)) yield { phase: phase.id, entry };
    }
    counts = now.phases.map(({ entries }) => entries.length);
    if (endStatuses.some((status) => status === now.frontmatter.status)) return;
    await pause();
    if (signal?.aborted) return;
  }
}
