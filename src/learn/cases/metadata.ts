import type { CaseMetadata, Piece } from "../../contract/api/learn.ts";
import { enginesIn } from "../../session/engine-sessions.ts";
import type { PlacedSession } from "./placed-session.ts";

/** What a case can be filtered by. Nothing is guessed: what the session does not say is null. */
export function metadataAt(session: PlacedSession, at: number, pieces: readonly Piece[], pass?: number): CaseMetadata {
  const { phase } = session.entries[at]!;
  const tools = new Set<string>();
  for (const { entry } of pieces) if (entry.kind === "tool") tools.add(entry.name);
  const names = [...tools].sort();
  const model = modelAt(session, at) ?? session.frontmatter.model ?? null;
  const fixed = pass === undefined ? null : fixedCommit(session, at, pass);
  const key = [session.phaseNumber(phase), model, fixed, ...names].join("\0");
  return session.shared(key, () => ({ ...phaseFacts(session, at), model, tools: names, fixed_commit: fixed }));
}

/** What is the same for all cases of a phase. */
function phaseFacts(session: PlacedSession, at: number): CaseMetadata {
  const { frontmatter, path } = session;
  const { phase } = session.entries[at]!;
  return {
    session: frontmatter.session_id,
    title: frontmatter.title,
    path,
    phase: phase?.mark?.id ?? phase?.title ?? null,
    at: phase?.mark?.at ?? null,
    agent: phase?.agent ?? onlyOne(frontmatter.participants ?? []),
    model: null,
    engine: engineAt(session, at),
    tools: [],
    commit: phase?.mark?.commit ?? textOrNull(frontmatter.commit),
    fixed_commit: null,
    outcome: frontmatter.status,
    tags: tagsAt(session, at),
  };
}

/**
 * The next commit that is known from after the run that passed. Where none is, the one on which its phase began, if that is another than the
 * failure's and no file was edited in the phase before it passed.
 */
function fixedCommit(session: PlacedSession, at: number, pass: number): string | null {
  const later = session.commitAfter(pass);
  if (later !== undefined) return later;
  const { entries } = session;
  const { phase } = entries[pass]!;
  const commit = phase?.mark?.commit;
  if (commit === undefined || commit === entries[at]!.phase?.mark?.commit) return null;
  return session.hasEditBefore(pass) ? null : commit;
}

/** The channel, the kind of the session, its bead, and what a person wrote under `tags`. */
function tagsAt({ frontmatter, entries }: PlacedSession, at: number): string[] {
  const { channel, kind, bead } = frontmatter;
  const own = frontmatter["tags"];
  const written = Array.isArray(own) ? own.filter((tag) => typeof tag === "string") : [];
  const all = [entries[at]!.phase?.channel ?? channel, kind, textOrNull(bead), ...written];
  return [...new Set(all.filter((tag) => typeof tag === "string"))].sort();
}

/** How far away the count of its tokens may stand: an engine's round ends with it. */
const nearEntries = 40;

/** The model whose tokens are counted next in the same phase. */
function modelAt({ entries }: PlacedSession, at: number): string | undefined {
  const { phase } = entries[at]!;
  for (let next = at; next < Math.min(entries.length, at + nearEntries); next++) {
    const { entry, phase: other } = entries[next]!;
    if (other !== phase) return undefined;
    if (entry.kind === "tokens" && entry.model !== undefined) return entry.model;
  }
  return undefined;
}

/** Where several engines worked, the phase's agent may be one of them. */
function engineAt({ frontmatter, entries }: PlacedSession, at: number): string | null {
  const engines = enginesIn(frontmatter);
  const agent = entries[at]!.phase?.agent;
  return onlyOne(engines) ?? (agent !== undefined && engines.includes(agent) ? agent : null);
}

function onlyOne(names: readonly string[]): string | null {
  return names.length === 1 ? names[0]! : null;
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
