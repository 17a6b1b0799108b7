import type { SessionAddition } from "../../contract/api/session-document.ts";
import type { SessionsApi } from "../../contract/api/session.ts";
import { ClewError } from "../../contract/errors.ts";
import type { Changes } from "../daemon/process-ports.ts";
import type { Rehydrations } from "../rehydrate/rehydrations.ts";
import type { Caller } from "../run/ports.ts";
import { endStatuses } from "../../contract/session-values.ts";
import type { SessionDocument } from "../../contract/session.ts";
import { begunBelow, refuseForeignNote, refuseForeignSession, type PersonsDeed } from "./authority.ts";
import {
  archiveSession,
  deleteSession,
  endSession,
  pauseSession,
  renameSession,
  reopenSession,
  startSession,
} from "./lifecycle.ts";
import { listSessions, sessionNames, totalsBy } from "./list.ts";
import type { NoteOrigin } from "../work/note-origin.ts";
import type { LogParts } from "./log.ts";
import { bringUpToDate } from "./open-sessions.ts";
import type { SessionParts } from "./parts.ts";
import { showSession, showWithEmbeds, withBreadcrumbs } from "./show.ts";

interface Parts {
  sessions: SessionParts;
  /** The id of the session that a person names; without a name, of the only active one. */
  find: (name: string | undefined) => Promise<string>;
  log: () => Promise<LogParts>;
  /** Resolves after so long, or as soon as the signal is aborted. */
  sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** Changes of a session's files. Other sessions may change them, too. */
  changes: (session: string) => Promise<Changes>;
  /** The process that asks for all this. */
  caller: () => Promise<Caller>;
  /** What a note of the session's agent belongs to. Throws when none may be added now. */
  noteOrigin: (session: string) => Promise<NoteOrigin>;
  /** Loaded when an agent asks where it stands. */
  rehydrations: () => Promise<Pick<Rehydrations, "show">>;
  /** The session of a run; undefined while there is none. */
  sessionOfRun: (run: string) => Promise<string | undefined>;
}

/** How often a follower polls a session's files: where the system reports changes, and where it does not. */
const pollMs = { watched: 5_000, unwatched: 200 };
/** What is written within this time is taken in at once. */
const gatherMs = 100;

/** What is asked of sessions themselves; of their agents at work: `app/agent/steer-session-agent.ts`. */
export function sessionsApi(apiParts: Parts): Omit<SessionsApi, "agents" | "sendToAgent" | "stopAgent"> {
  const { sessions, find, log, sleep, changes, caller, noteOrigin, rehydrations, sessionOfRun } = apiParts;
  const { records, projections, clock } = sessions;
  /** Without a name, the session of the agent that asks; of a person, the one that is active. */
  const ownSession = async (name: string | undefined): Promise<string> => {
    const below = name === undefined ? (await caller()).steps.findLast(({ run }) => run !== null) : undefined;
    if (!below?.run) return find(name);
    const own = below.agent === undefined ? await sessionOfRun(below.run) : below.run;
    return find(own);
  };
  /** The session that is meant; throws when it is not for the caller to end or put away, or to go on with. */
  const findOwn = async (name: string | undefined, deed: PersonsDeed): Promise<string> => {
    const id = await find(name);
    await refuseForeignSession(sessions, await caller(), id, deed);
    return id;
  };
  return {
    async start({ title, channel, agent, model }) {
      const { begun_below } = begunBelow(await caller());
      const session_id = await startSession(sessions, { title, channel, agent, model, begunBelow: begun_below });
      return { session_id, path: records.path(session_id) };
    },
    find: async ({ session }) => ({ session_id: await find(session) }),

    async log({ session, entry }) {
      const { checkEntry } = await import("./entries.ts");
      const checked = checkEntry(entry, `clew session log ${entry.kind} --help shows the form and an example`);
      const session_id = await find(session);
      const { logEntry } = await import("./log.ts");
      const { refuseForeignEntry } = await import("./entry-authority.ts");
      const parts = await log();
      await refuseForeignEntry(parts, session_id, checked);
      return { ok: true, session_id, ...(await logEntry(parts, session_id, checked)) };
    },
    async logLines({ session, lines }) {
      const { logBatch } = await import("./log-lines.ts");
      const id = await find(session);
      return logBatch(await log(), id, lines, () => clock.now());
    },

    async pause({ session }) {
      const session_id = await findOwn(session, "paused");
      await pauseSession(sessions, session_id);
      return { session_id, status: "paused" };
    },
    async end({ session, status, error, summary }) {
      const session_id = await findOwn(session, "ended");
      const { closeParentLink, logEntry } = await import("./log.ts");
      const parts = await log();
      if (summary !== undefined) await logEntry(parts, session_id, { kind: "task_complete", text: summary });
      await endSession(sessions, session_id, status, error);
      await closeParentLink(parts, session_id);
      return { session_id, status };
    },
    async rename({ session, title }) {
      const session_id = await findOwn(session, "renamed");
      return { session_id, title: await renameSession(sessions, session_id, title) };
    },
    async archive({ session, archived }) {
      const session_id = await findOwn(session, archived ? "archived" : "brought back");
      await archiveSession(sessions, session_id, archived);
      return { session_id, archived };
    },
    async delete({ session }) {
      const session_id = await findOwn(session, "deleted");
      await deleteSession(sessions, session_id);
      return { session_id, deleted: true };
    },

    list: (request) => listSessions(sessions, request),
    names: async ({ limit }) => ({ sessions: await sessionNames(sessions, limit) }),
    async show({ session, full }) {
      const id = await find(session);
      await bringUpToDate(sessions);
      return withBreadcrumbs(sessions, id, await showSession(sessions, id, full));
    },
    async text({ session }) {
      const session_id = await find(session);
      await bringUpToDate(sessions);
      return { session_id, path: records.path(session_id), text: (await records.read(session_id)).text };
    },
    async addBreadcrumb({ cookie, ...note }) {
      const { addNote } = await import("./breadcrumbs.ts");
      // A cookie is given to one agent for one session: the beginning of an id, or `latest`, is none.
      if (!records.exists(cookie)) throw noSuchCookie(cookie);
      await refuseForeignNote(sessions, await caller(), cookie);
      const origin = await noteOrigin(cookie);
      return { session_id: cookie, ...(await addNote(sessions, cookie, { ...note, ...origin })) };
    },
    async breadcrumbs({ session, ...wanted }) {
      const session_id = await find(session);
      return { session_id, ...(await sessions.breadcrumbs.list(session_id, wanted)) };
    },
    async read({ session, full }) {
      const id = await find(session);
      await bringUpToDate(sessions);
      return showWithEmbeds(sessions, id, full);
    },
    async follow({ session, full, after = 0 }, options) {
      const id = await find(session);
      const look = (): Promise<SessionDocument> => showSession(sessions, id, full);
      const signal = options?.signal;
      const isStopped = (): boolean => signal?.aborted ?? false;
      // Taken before each look, so that what is written meanwhile is noticed the next time.
      let files = records.fingerprint(id);
      let watch: Changes | undefined;
      const changed = async (): Promise<void> => {
        watch ??= await changes(id);
        do {
          await watch.next(signal, watch.isWatched ? pollMs.watched : pollMs.unwatched);
          await sleep(gatherMs, signal);
        } while (!isStopped() && records.fingerprint(id) === files);
        files = records.fingerprint(id);
      };
      const first = await look();
      const count = first.phases.reduce((sum, { entries }) => sum + 1 + entries.length, 0);
      if (after > count) throw noSuchAddition(after, count);
      return additions({ first, after, look, changed, close: () => watch?.close(), signal });
    },
    async stats({ session }) {
      const { statsOf } = await import("./stats.ts");
      return statsOf(sessions, await find(session));
    },
    async tree({ session, limit }) {
      const { treeOf, newestTrees } = await import("./tree.ts");
      return {
        sessions:
          session === undefined ? await newestTrees(sessions, limit) : [await treeOf(sessions, await find(session))],
      };
    },
    async timeline({ session }) {
      const { timelineOf } = await import("./timeline.ts");
      const session_id = await find(session);
      await bringUpToDate(sessions);
      return { session_id, events: await timelineOf(sessions, session_id) };
    },
    async export({ sessions: names }) {
      const { exportSession } = await import("./export.ts");
      const exported = [];
      for (const name of names) exported.push(await exportSession(sessions, await find(name)));
      return { sessions: exported };
    },
    async render({ sessions: names, format }) {
      const { exportSession, renderSessions } = await import("./export.ts");
      const exported = [];
      for (const name of names) exported.push(await exportSession(sessions, await find(name)));
      return { format, text: await renderSessions(exported, format) };
    },
    async period(request) {
      const { periodOf } = await import("./period.ts");
      return periodOf(sessions, request);
    },
    async renderPeriod({ format, ...request }) {
      const { periodOf, renderPeriod } = await import("./period.ts");
      return { format, text: await renderPeriod(await periodOf(sessions, request), format) };
    },
    totals: async ({ by = "status", ...period }) => ({ groups: await totalsBy(sessions, by, period) }),

    async context({ session, budget }) {
      const { contextOf } = await import("./resume.ts");
      const session_id = await find(session);
      return { session_id, ...(await contextOf(sessions, session_id, budget)) };
    },
    rehydrate: async ({ session, budget }) => (await rehydrations()).show(await ownSession(session), budget),
    async resume({ session, budget }) {
      const { contextOf } = await import("./resume.ts");
      const session_id = await findOwn(session, "resumed");
      const context = await contextOf(sessions, session_id, budget);
      await reopenSession(sessions, session_id);
      return { session_id, ...context };
    },

    async checkIndex() {
      await bringUpToDate(sessions);
      const { stale, sessions: count } = await projections.checkIndex();
      return { sessions: count, changed: stale };
    },
    async rebuildIndex() {
      await bringUpToDate(sessions);
      await projections.rebuildIndex();
      await projections.rebuildSearch();
      return { sessions: await projections.ask((index) => index.ids().length) };
    },
  };
}

function noSuchCookie(cookie: string): ClewError {
  const message = `no session has the cookie ${JSON.stringify(cookie)}`;
  return new ClewError(
    "unknown_session",
    message,
    "a cookie is the whole id of a session; clew session list shows them",
  );
}

function noSuchAddition(after: number, count: number): ClewError {
  const message = `there is no entry ${after}: the session has ${count} phases and entries`;
  return new ClewError("gone", message, "begin anew, without a number");
}

interface Followed {
  first: SessionDocument;
  /** The number of the last phase or entry that the reader has. */
  after: number;
  look: () => Promise<SessionDocument>;
  /** Resolves when its files have changed, or at the signal. */
  changed: () => Promise<void>;
  close: () => void;
  signal: AbortSignal | undefined;
}

/** What comes after what is known, until the session has ended. */
async function* additions({ first, after, look, changed, close, signal }: Followed): AsyncGenerator<SessionAddition> {
  let last = after;
  try {
    for (let now = first; ; now = await look()) {
      let n = 0;
      for (const phase of now.phases) {
        if (++n > last) yield { n, phase: { ...phase, entries: [] } };
        for (const entry of phase.entries) if (++n > last) yield { n, phase: phase.id, entry };
      }
      // Where a person took something out, what is logged next gets a number that was there before.
      last = n;
      if (endStatuses.some((status) => status === now.frontmatter.status)) return;
      await changed();
      if (signal?.aborted) return;
    }
  } finally {
    close();
  }
}
