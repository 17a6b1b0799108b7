import { changeSession } from "../session/change.ts";
import { pauseRecord } from "../session/lifecycle.ts";
import type { LogParts } from "../session/log.ts";
import type { AgentProcess, Agents } from "../engine/agents.ts";
import { lastAgent, takeInTranscript } from "./take-in.ts";
import type { TalkStates } from "./talk-state.ts";

export interface MendTalkParts {
  log: () => Promise<LogParts>;
  agents: Pick<Agents, "replay">;
  states: TalkStates;
  /** Where a talk takes place that does not tell. */
  folder: string;
  /** Ends what a dead process's agent left. */
  endSurvivors: (process: AgentProcess) => Promise<void>;
}

/** What the transcripts of talks are called, and the phase of one whose first message is not known. */
export const talkLabel = "chat";
export const continuedTitle = "Continued";

/**
 * Mends what a process that led a talk left when it died: its agent is ended, what the transcript has and the session has not is
 * written, and the session is paused. False when there is nothing to mend. The caller holds the talk's lock.
 */
export async function mendTalk(parts: MendTalkParts, session: string): Promise<boolean> {
  const { states, agents, endSurvivors } = parts;
  const log = await parts.log();
  const { records, clock } = log.sessions;
  const live = states.read(session)?.agent;
  const glance = records.glance(session);
  const isActive = glance?.status === "active";
  if (!live && !isActive) return false;
  if (!records.exists(session)) return false;
  if (live) await endSurvivors(live.process);
  const isOpen = isActive || glance?.status === "paused";
  const place = { label: talkLabel, folder: parts.folder, level: "work" } as const;
  const agent = live ?? (await lastAgent(log, session, place));
  if (!agent) return false;
  if (isOpen) await takeInTranscript({ log, agents }, { session, phase: continuedTitle }, agent);
  const leftAtMs = glance?.activeAtMs ?? clock.now();
  if (isActive) {
    await changeSession(log.sessions, session, async (record) => {
      if (record.glance.status === "active") await pauseRecord(record, leftAtMs);
      return record.save();
    });
  }
  states.remove(session);
  return true;
}
