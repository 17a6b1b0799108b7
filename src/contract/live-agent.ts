import * as z from "zod/mini";
import { permissionLevels } from "./engine-abilities.ts";
import { subagentModes } from "./session-values.ts";

/** A live agent, so that the next process can end it and read what it did when its driver dies. */
export const liveAgent = z.object({
  engine: z.string(),
  level: z.enum(permissionLevels),
  model: z.exactOptional(z.string()),
  resume: z.exactOptional(z.string()),
  folder: z.string(),
  transcript: z.string(),
  process: z.object({ pid: z.int(), started: z.string(), boot: z.string(), mark: z.string() }),
  /** How its subagents are recorded, whatever the setting says later. */
  subagent_mode: z.exactOptional(z.enum(subagentModes)),
});
export type LiveAgent = z.infer<typeof liveAgent>;

/** What is known of a talk while its agent lives: `state/talks/SESSION.json`. */
export const talkState = z.object({ version: z.literal(1), session: z.string(), agent: liveAgent });
export type TalkState = z.infer<typeof talkState>;
