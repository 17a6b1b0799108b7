import type { ResumeContext } from "../../contract/api/session.ts";
import { resumeContext } from "../../session/resume/resume-context.ts";
import type { Show } from "./show.ts";

/** Tokens that the context may take unless somebody says otherwise: a good part of a usual window, with room to work. */
const usualBudget = 24_000;

/** What an agent needs to know to go on where the session stopped. Changes nothing. */
export async function contextOf(show: Show, id: string, budget = usualBudget): Promise<ResumeContext> {
  return resumeContext(await show.document(id), { budget });
}
