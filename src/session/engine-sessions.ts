import type { Frontmatter } from "../contract/session.ts";

/** A session of an engine, as frontmatter names it. `bytes`, `mark` and `until` are of one that was imported: see `TakenPart`. */
export interface EngineSession {
  engine: string;
  session: string;
  /** Where the engine worked: most go on only there. */
  folder?: string;
  bytes?: number;
  mark?: string;
  until?: string;
  source?: string;
}

/** How far a transcript was taken in. */
export interface TakenPart {
  /** Where the last line that was taken ends, in bytes; of a database, how many rows. */
  position: number;
  /** Of what stands there: another text once the transcript was rewritten. Earlier versions kept none. */
  mark?: string;
  /** When the latest of what was taken happened, as ISO 8601. */
  until?: string;
  /** What was taken in: absent for the engine's own transcript. */
  source?: "hooks";
}

/** Undefined for one that was not imported. */
export function takenPartOf({ bytes, mark, until, source }: EngineSession): TakenPart | undefined {
  if (typeof bytes !== "number") return undefined;
  return {
    position: bytes,
    ...(typeof mark === "string" && { mark }),
    ...(typeof until === "string" && { until }),
    ...(source === "hooks" && { source }),
  };
}

/** The same as it stands in frontmatter. */
export function takenPartFields({
  position,
  mark,
  until,
  source,
}: TakenPart): Pick<EngineSession, "bytes" | "mark" | "until" | "source"> {
  return {
    bytes: position,
    ...(mark !== undefined && { mark }),
    ...(until !== undefined && { until }),
    ...(source !== undefined && { source }),
  };
}

/** One that an engine can be told to go on with. */
export type ResumableSession = EngineSession & { folder: string };

/** Those that say which they are; a session may be anybody's text. */
export function engineSessionsIn({ engine_sessions }: Pick<Frontmatter, "engine_sessions">): EngineSession[] {
  if (!Array.isArray(engine_sessions)) return [];
  return engine_sessions.filter((value): value is EngineSession => {
    const { engine, session } = (value ?? {}) as Partial<EngineSession>;
    return typeof engine === "string" && typeof session === "string";
  });
}

/** Those that an engine can be told to go on with. */
export function resumableSessionsIn(frontmatter: Pick<Frontmatter, "engine_sessions">): ResumableSession[] {
  return engineSessionsIn(frontmatter).filter(
    (each): each is ResumableSession =>
      each.engine !== "" &&
      /^[A-Za-z0-9][\w.-]{0,199}$/.test(each.session) &&
      typeof each.folder === "string" &&
      each.folder !== "",
  );
}

/** The names of the engines, in the order in which they came; some tell no session of theirs. */
export function enginesIn({ engine_sessions }: Pick<Frontmatter, "engine_sessions">): string[] {
  if (!Array.isArray(engine_sessions)) return [];
  const names = engine_sessions.map((each) => (each as { engine?: unknown } | null)?.engine);
  return [...new Set(names.filter((name) => typeof name === "string"))];
}

/** With this one last: it is at work now. */
export function withEngineSession(sessions: EngineSession[], added: EngineSession): EngineSession[] {
  const before = sessions.find(({ session }) => session === added.session);
  return [...sessions.filter(({ session }) => session !== added.session), { ...before, ...added }];
}
