import * as z from "zod/mini";

/** What a run or a talk may use. What is absent has no limit. */
export const limits = z.object({
  max_cost_usd: z.exactOptional(z.number().check(z.positive())),
  /** All that a model read and wrote, what came from a cache too. */
  max_tokens: z.exactOptional(z.int().check(z.positive())),
  /** A round is one exchange with a model. */
  max_rounds: z.exactOptional(z.int().check(z.positive())),
  /** Time at work: waiting for a person does not count. */
  max_time_ms: z.exactOptional(z.number().check(z.positive())),
});
/** The same as a caller gives it: a field that there is not would be a limit that does not hold. */
export const givenLimits = z.strictObject(limits.shape);
export type Limits = z.infer<typeof limits>;

const limitKinds = ["max_cost_usd", "max_tokens", "max_rounds", "max_time_ms"] as const;
export type LimitKind = (typeof limitKinds)[number];

/** A limit, and how much was used when it was reached. */
export const reachedLimit = z.object({
  kind: z.enum(limitKinds),
  limit: z.number(),
  used: z.number(),
  /** The agent whose file sets it; absent when an option did. */
  agent: z.exactOptional(z.string()),
});
export type ReachedLimit = z.infer<typeof reachedLimit>;

/** With the engine's session, in which an agent that was stopped for it goes on. */
export const stoppedAtLimit = z.object({ ...reachedLimit.shape, engine_session: z.exactOptional(z.string()) });
