import * as z from "zod/mini";
import { countLimit } from "./paging.ts";
import { sessionName } from "./session-name.ts";

const count = z.int();

/** What an agent of any engine is given to go on with a session. */
export const resumeContext = z.strictObject({
  session_id: z.string(),
  /** Markdown. */
  text: z.string(),
  tokens: count,
  budget: count,
  /** Phases shown whole. */
  phases_kept: count,
  phases_total: count,
  /** Sentences for a person; they stand in the text as well. */
  left_out: z.array(z.string()),
  decisions_kept: count,
  decisions_shortened: count,
});
/** What is known of it before it has a session's name. */
export type ResumeContext = Omit<z.infer<typeof resumeContext>, "session_id">;

export const resumeRequest = z.strictObject({
  session: sessionName,
  /** How long the text may be, in tokens. */
  budget: z.optional(countLimit),
});
