import type { ResumeContext } from "../../contract/api/session-resume.ts";
import { resumeContext } from "../../session/resume/resume-context.ts";
import { showSession, type ShowParts } from "./show.ts";

/** Tokens that the context may take by default: a good part of a usual window, with room to work. */
const defaultBudget = 24_000;

/** What an agent needs to know to go on where the session stopped. Changes nothing. */
export async function contextOf(parts: ShowParts, id: string, budget = defaultBudget): Promise<ResumeContext> {
  return resumeContext(await showSession(parts, id), { budget });
}
