import type { Phase, SessionDocument } from "../../contract/session.ts";

/**
 * The phases that an agent is told of, and those that come after the resume point. Without one, or when a person took
 * its phase out of the record, all are told.
 */
export function phasesAtResume({ frontmatter, phases }: SessionDocument): { before: Phase[]; after: Phase[] } {
  const at = phases.findLastIndex((phase) => phase.id === frontmatter.resume_point);
  const end = at < 0 ? phases.length : at + 1;
  return { before: phases.slice(0, end), after: phases.slice(end) };
}
