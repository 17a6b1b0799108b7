import * as z from "zod/mini";

/** What is wrong with a file that a person wrote, and where. Lines and columns count from 1, columns in characters. */
export const problem = z.object({
  severity: z.enum(["error", "warning"]),
  file: z.string(),
  line: z.int(),
  column: z.int(),
  /** The step it belongs to, as a path of step names: `quality-loop/run-tests`. */
  step: z.exactOptional(z.string()),
  message: z.string(),
  /** The way out, where there is one to name. */
  hint: z.exactOptional(z.string()),
});
export type Problem = z.infer<typeof problem>;

/** A place in a text. Lines and columns count from 1, columns in characters. */
export interface Place {
  line: number;
  column: number;
}
