import * as z from "zod/mini";
import { permissionLevels } from "./engine-abilities.ts";
import { liveAgent } from "./live-agent.ts";

/** What a bead is worked on as. `phase` is the seed's word for a stage. */
export const workKinds = ["task", "phase", "track", "issue"] as const;
export type WorkKind = (typeof workKinds)[number];

/** The live agent of a work session. */
const workAgent = z.extend(liveAgent, {
  /** The branch that was checked out there when it began; null when there was none. */
  branch: z.exactOptional(z.nullable(z.string())),
  task: z.string(),
});
export type WorkAgent = z.infer<typeof workAgent>;

/** What is known of a work session beside its record: `state/ai-sync/SESSION.json`. */
export const workState = z.object({
  version: z.literal(1),
  session: z.string(),
  /** What `clew work` was called with. */
  bead: z.string(),
  /** The bead that is worked on now; null when none is. */
  current: z.nullable(z.string()),
  /** Those that this session closed, in order. */
  done: z.array(z.string()),
  /** The result by which the live agent closed the last one, so that the same one given again closes no other. */
  last_result: z.exactOptional(z.string()),
  agent: z.exactOptional(workAgent),
  /** Why it stopped, when a person has to see to it, and the command that goes on; absent while it works. */
  stopped: z.exactOptional(z.object({ reason: z.string(), message: z.string(), next: z.string() })),
  /** What the agent was asked for last: who goes on without a word about it gets the same. */
  asked: z.exactOptional(
    z.object({
      agent: z.exactOptional(z.string()),
      level: z.exactOptional(z.enum(permissionLevels)),
      model: z.exactOptional(z.string()),
    }),
  ),
});
export type WorkState = z.infer<typeof workState>;
