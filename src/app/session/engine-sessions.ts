import type { Frontmatter } from "../../contract/session.ts";

/** A session of an engine, as frontmatter names it. Of one that was imported, `bytes` of its transcript stand in the session. */
export interface EngineSession {
  engine: string;
  session: string;
  folder?: string;
  bytes?: number;
}

/** Those that say which they are; a session may be anybody's text. */
export function engineSessionsIn({ engine_sessions }: Pick<Frontmatter, "engine_sessions">): EngineSession[] {
  if (!Array.isArray(engine_sessions)) return [];
  return engine_sessions.filter((value): value is EngineSession => {
    const { engine, session } = (value ?? {}) as Partial<EngineSession>;
    return typeof engine === "string" && typeof session === "string";
  });
}
