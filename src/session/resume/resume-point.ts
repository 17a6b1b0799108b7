import type { Phase, SessionDocument } from "../../contract/session.ts";

/**
 * The phases up to the resume point, which a context shows, and those after it. Without a resume point, or when a person
 * took its phase out of the record, a context shows all.
 */
export function phasesAtResume({ frontmatter, phases }: SessionDocument): { before: Phase[]; after: Phase[] } {
  const at = phases.findLastIndex((phase) => phase.id === frontmatter.resume_point);
  const end = at < 0 ? phases.length : at + 1;
  return { before: phases.slice(0, end), after: phases.slice(end) };
}
