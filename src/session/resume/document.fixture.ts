import type { Entry, Frontmatter, Phase, SessionDocument } from "../../contract/session.ts";

/** A session for tests: the entries of its phases, and what else a test cares about. */
export function sessionOf(
  phases: Entry[][],
  more: Partial<SessionDocument> & { head?: Partial<Frontmatter> } = {},
): SessionDocument {
  const { head, ...rest } = more;
  return {
    frontmatter: {
      type: "session",
      session_id: "2026-11-15-fix-login",
      title: "Fix the login",
      started: "2026-11-15T10:00:00.000Z",
      status: "paused",
      kind: "work",
      ...head,
    },
    tasks: [],
    phases: phases.map((entries, index) => phaseOf(index + 1, entries)),
    ...rest,
  };
}

function phaseOf(number: number, entries: Entry[]): Phase {
  return {
    id: `phase-${number}`,
    title: `Work p${number};`,
    agent: "coder@1.0",
    channel: "dev",
    started: null,
    entries,
  };
}
