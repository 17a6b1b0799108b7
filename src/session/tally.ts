import type { SubagentEntry } from "../contract/session.ts";
import type { SubagentRef } from "../contract/api/session-document.ts";
import type { QuestionKind } from "../contract/session-values.ts";
import type { TokenShare } from "../contract/session-row.ts";
import { withVersion } from "./agents.ts";
import { crc32 } from "./crc32.ts";
import type { Item } from "./items.ts";

/** What a body adds up to. It grows entry by entry, so that saving a long session costs no more than a short one. */
export type Tally = ReturnType<typeof emptyTally>;

type Text = string | null;

function emptyTally() {
  return {
    /** Phases so far, and the largest number that an id `phase-N` has used. */
    phases: 0,
    lastPhase: 0,
    /** The phase that an entry logged now belongs to. */
    phaseId: null as Text,
    phaseTitle: null as Text,
    /** Who works in that phase and where, as its heading says. */
    phaseAgent: null as Text,
    phaseChannel: null as Text,
    errors: 0,
    /** Tokens of the session itself and of its inline subagents; null while none were reported. */
    tokens: null as number | null,
    /** The same by agent and by channel: that of the phase, or of the subagent; null where the heading names none. */
    agentTokens: [] as TokenShare[],
    channelTokens: [] as TokenShare[],
    model: null as Text,
    participants: [] as string[],
    /** Of the phases, each once. */
    channels: [] as string[],
    subagents: [] as SubagentRef[],
    /** Linked subagents that have not ended: what they were logged as. */
    openLinks: [] as SubagentEntry[],
    /** What still waits for a person. */
    open: [] as { id: string; kind: QuestionKind; text: string; phase: string }[],
  };
}

export function tallyOf(items: Item[]): Tally {
  const tally = emptyTally();
  for (const item of items) addToTally(tally, item);
  return tally;
}

export function addToTally(tally: Tally, item: Item): void {
  switch (item.kind) {
    case "phase": {
      tally.phases++;
      const id = item.mark?.id ?? `phase-${tally.phases}`;
      tally.lastPhase = Math.max(tally.lastPhase, Number(/^phase-(\d+)$/.exec(id)?.[1] ?? 0));
      tally.phaseId = id;
      tally.phaseTitle = item.title;
      tally.phaseAgent = item.agent ?? null;
      tally.phaseChannel = item.channel ?? null;
      if (item.agent !== undefined) addParticipant(tally, item.agent);
      if (item.channel !== undefined && !tally.channels.includes(item.channel)) tally.channels.push(item.channel);
      break;
    }
    case "error":
      tally.errors++;
      break;
    case "tokens":
      addTokens(tally, tally.phaseAgent, item.tokens);
      tally.model ??= item.model ?? null;
      break;
    case "subagent":
      addSubagent(tally, item);
      break;
    case "decision_needed":
    case "approval_required":
      tally.open.push({
        id: item.id ?? idOfText(item.text),
        kind: item.kind,
        text: item.text,
        phase: tally.phaseTitle ?? "Start",
      });
      break;
    case "answer":
      tally.open = tally.open.filter((question) => question.id !== item.id);
      break;
  }
}

/** The participants that are not only subagents: one of them works in a phase that names no agent. */
export function sessionAgents(participants: string[], { subagents }: Tally): string[] {
  return participants.filter((each) => !subagents.some(({ agent }) => withVersion(agent, [each]) === each));
}

/** A question that a person wrote has no id; its text stands for one. */
function idOfText(text: string): string {
  return `q-${crc32(text).toString(36).padStart(7, "0")}`;
}

function addParticipant(tally: Tally, agent: string): void {
  if (!tally.participants.includes(agent)) tally.participants.push(agent);
}

function addTokens(tally: Tally, agent: string | null, tokens: number): void {
  tally.tokens = (tally.tokens ?? 0) + tokens;
  addShare(tally.agentTokens, agent, tokens);
  addShare(tally.channelTokens, tally.phaseChannel, tokens);
}

/** Adds to the share of that name, or begins one. */
export function addShare(shares: TokenShare[], name: string | null, tokens: number): void {
  const share = shares.find((each) => each.name === name);
  if (share) share.tokens += tokens;
  else shares.push({ name, tokens });
}

function addSubagent(tally: Tally, entry: SubagentEntry): void {
  const { mode, session, agent, model, tokens } = entry;
  if (mode === "link" && entry.summary === undefined && session !== undefined) tally.openLinks.push(entry);
  if (mode === "inline") {
    addParticipant(tally, agent);
    if (tokens !== undefined) addTokens(tally, agent, tokens);
  }
  const existing = tally.subagents.find(
    (each) => each.session === undefined && each.agent === agent && each.model === model,
  );
  if (mode === "inline" && existing) {
    if (tokens !== undefined) existing.tokens = (existing.tokens ?? 0) + tokens;
    return;
  }
  tally.subagents.push({
    ...(session !== undefined && { session }),
    agent,
    ...(model !== undefined && { model }),
    ...(tokens !== undefined && { tokens }),
  });
}
