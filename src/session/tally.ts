import type { SubagentEntry, TokensEntry } from "../contract/session.ts";
import type { SubagentRef } from "../contract/api/session-document.ts";
import type { QuestionKind } from "../contract/session-values.ts";
import type { UsedShare } from "../contract/session-row.ts";
import { withVersion } from "./agents.ts";
import { sumIfAny } from "../text/sum-if-any.ts";
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
    /** What the entries of tokens tell of their cost; null while none does. */
    costMicroUsd: null as number | null,
    /** Both by who used them: agent and channel of the phase, or the subagent; engine and bead as the entry names them. */
    used: [] as UsedShare[],
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
      addUsed(tally, tally.phaseAgent, item);
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

type Counted = Pick<TokensEntry, "tokens" | "engine" | "task" | "cost_usd">;

function addUsed(tally: Tally, agent: string | null, { tokens, engine, task, cost_usd }: Counted): void {
  const cost = cost_usd === undefined ? null : Math.round(cost_usd * 1e6);
  tally.tokens = (tally.tokens ?? 0) + tokens;
  tally.costMicroUsd = sumIfAny(tally.costMicroUsd, cost);
  const by = { agent, channel: tally.phaseChannel, engine: engine ?? null, bead: task ?? null };
  addShare(tally.used, { ...by, tokens, cost_micro_usd: cost });
}

/** Adds to the share of the same names, or begins one. */
export function addShare(shares: UsedShare[], { tokens, cost_micro_usd, ...names }: UsedShare): void {
  const isSame = (each: UsedShare): boolean =>
    each.agent === names.agent &&
    each.channel === names.channel &&
    each.engine === names.engine &&
    each.bead === names.bead;
  const share = shares.find(isSame);
  if (!share) return void shares.push({ ...names, tokens, cost_micro_usd });
  share.tokens = sumIfAny(share.tokens, tokens);
  share.cost_micro_usd = sumIfAny(share.cost_micro_usd, cost_micro_usd);
}

function addSubagent(tally: Tally, entry: SubagentEntry): void {
  const { mode, session, agent, model, tokens } = entry;
  if (mode === "link" && entry.summary === undefined && session !== undefined) tally.openLinks.push(entry);
  if (mode === "inline") {
    addParticipant(tally, agent);
    if (tokens !== undefined) addUsed(tally, agent, { tokens });
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
