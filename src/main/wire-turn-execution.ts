import { relative } from "node:path";
import { sha256Of } from "../adapters/layout/file-names.ts";
import { turnPaths } from "../adapters/layout/turn-paths.ts";
import { refuseTempFolder, tempFolder } from "../adapters/shell/temp-folder.ts";
import { systemClock } from "../adapters/system/system.ts";
import { pageFetcher } from "../adapters/turns/fetch-page.ts";
import { planCommands } from "../adapters/turns/plan-commands.ts";
import { turnFolders } from "../adapters/turns/turn-folders.ts";
import { turnJournals } from "../adapters/turns/turn-journals.ts";
import { workFiles } from "../adapters/turns/work-files.ts";
import type { AgentsApiParts } from "../app/agent/parts.ts";
import { findTurnSession } from "../app/turn/find-session.ts";
import type { ExecutionParts } from "../app/turn/execution/parts.ts";
import type { AskAgent, WorkFiles } from "../app/turn/execution/ports.ts";
import { mendTurns } from "../app/turn/execution/with-turns.ts";
import type { TurnParts } from "../app/turn/parts.ts";
import { callJudge } from "./turn-policy.ts";
import type { Ground } from "./wire-ground.ts";

interface ExecutionWiring {
  turns: TurnParts;
  talks: () => Promise<AgentsApiParts>;
  warn: (message: string) => void;
}

/** Puts together what executes plans. */
export async function openExecutions(ground: Ground, { turns, talks, warn }: ExecutionWiring): Promise<ExecutionParts> {
  const { disk, layout, settings, env, git } = ground;
  const { store, drivers, caller, sessions, pathOf } = turns;
  const { root } = layout;
  refuseTempFolder(root);
  const redactor = await ground.redactor();
  const files = planFiles(ground);
  const journals = turnJournals({ disk, layout, files });
  const memos = turnPaths.memos(root);
  return {
    find: (name) => findTurnSession(turns, name),
    async sessions() {
      const hasLines = (id: string): boolean => disk.stamp(turnPaths.lines(layout, id)) !== undefined;
      return sessions.records.ids().filter((id) => hasLines(id) || store.folders(id).length > 0);
    },
    async refuseEnded(session) {
      const { refuseEndedSession } = await import("../app/session/lifecycle.ts");
      await refuseEndedSession(sessions, session);
    },
    store,
    journals,
    files,
    sha256: sha256Of,
    commands: planCommands({ redactor, env, root, tempFolder: tempFolder() }),
    fetchPage: pageFetcher({ allowPrivate: settings.research_private }),
    askAgent: agentAsker(talks, settings.engine),
    rules: callJudge(ground),
    memos: {
      read: () => disk.read(memos)?.toString("utf8"),
      write: (text) => void disk.replace(memos, Buffer.from(text)),
    },
    caller,
    drivers,
    settings: { memos: settings.turn_memos, executeTimeoutMs: settings.execute_timeout },
    redact: (text) => redactor.redact(text),
    time: { now: () => systemClock.now(), elapsedMs: () => performance.now() },
    warn,
    async project(session) {
      const { projectTurns } = await import("../app/turn/session/turn-record.ts");
      await projectTurns(turns, session);
    },
    pathOf,
    async originalPlan(session, turn, sha256) {
      const kept = journals.of(session, turn).content(sha256);
      if (kept) return Buffer.from(kept).toString("utf8");
      const path = pathOf(session, turn, "plan.md");
      const found = git.commitsWith(path, 20).map((commit) => git.contentAt(commit, path));
      return found.find((bytes) => bytes && sha256Of(bytes) === sha256)?.toString("utf8");
    },
  };
}

/** Mends what a dead process left of an execution, for commands that execute nothing themselves. */
export function openMending(ground: Ground, warn: (message: string) => void): (session: string) => Promise<void> {
  const { disk, layout } = ground;
  const journals = turnJournals({ disk, layout, files: planFiles(ground) });
  const time = { now: () => systemClock.now(), elapsedMs: () => performance.now() };
  return (session) => mendTurns({ store: turnFolders(disk, layout), journals, time, warn }, session);
}

/** Files that plans may change: none of those that tell what happened. */
function planFiles({ layout }: Ground): WorkFiles {
  const { root, sessions } = layout;
  return workFiles({
    root,
    reserved: [
      { path: relative(root, sessions), reason: "holds the sessions, which no plan changes" },
      { path: relative(root, turnPaths.memos(root)), reason: "holds the memos: a plan changes them under ## Memos" },
    ],
  });
}

/** A talk of one answer with an agent that may only read; its session is a record of its own. */
function agentAsker(talks: () => Promise<AgentsApiParts>, engine: string): AskAgent {
  return async (query, signal) => {
    const { agentsApi } = await import("../app/agent/api.ts");
    const stream = await agentsApi(await talks()).talk(
      { engine, prompt: query, one_shot: true, level: "read" },
      { signal },
    );
    for await (const news of stream) {
      if (news.type !== "ended") continue;
      if (news.status === "completed") return { answer: news.answer, session: news.session_id };
      throw new Error(news.error ?? `the agent stopped before it answered, in the session ${news.session_id}`);
    }
    throw new Error("the agent gave no answer");
  };
}
