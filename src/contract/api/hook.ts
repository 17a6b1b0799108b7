import * as z from "zod/mini";
import { hookEngines, hookScopes } from "../hook.ts";
import { readsLocally, writesLocally, type ApiOf, type OperationTable } from "./operation.ts";

const engine = z.enum(hookEngines);
const scope = z.enum(hookScopes);

/** What became of the settings of one engine. */
const settingsChange = z.strictObject({
  engine,
  scope,
  path: z.string(),
  /** `made`: there was no such file; `removed`: it was there for our hooks alone; `none`: it is as it was. */
  change: z.enum(["made", "changed", "removed", "none"]),
  /** The lines that go and come, each with `-` or `+` before it. */
  diff: z.array(z.string()),
  /** What is still to be done by a person. */
  note: z.exactOptional(z.string()),
});
export type SettingsChange = z.infer<typeof settingsChange>;

/** How the settings of one engine stand. */
const settingsStanding = z.strictObject({
  engine,
  scope,
  path: z.string(),
  /** `partly`: some events are missing; `unreadable`: see `problem`. */
  status: z.enum(["installed", "partly", "none", "unreadable"]),
  /** The events that have our hook. */
  events: z.array(z.string()),
  problem: z.exactOptional(z.string()),
});
export type SettingsStanding = z.infer<typeof settingsStanding>;

const request = z.strictObject({
  engine: z.optional(engine),
  scope: z.optional(scope),
  dry_run: z.optional(z.boolean()),
});
const installRequest = z.strictObject({
  ...request.shape,
  /** Hooks that tell the daemon over HTTP, where the engine has such. */
  http: z.optional(z.boolean()),
});
const response = z.strictObject({ settings: z.array(settingsChange) });

export const hookOperations = {
  install: {
    ...writesLocally,
    about:
      "Writes hooks into the settings of engines, so that agents become sessions. Everything else in them keeps its bytes.",
    request: installRequest,
    response,
    errors: ["unknown_engine", "not_possible_now"],
  },
  uninstall: {
    ...writesLocally,
    about: "Takes these hooks out of the settings of engines again, to the byte.",
    request,
    response,
    errors: ["not_possible_now"],
  },
  status: {
    ...readsLocally,
    about: "Which settings of engines have these hooks.",
    request: z.strictObject({ engine: z.optional(engine), scope: z.optional(scope) }),
    response: z.strictObject({ settings: z.array(settingsStanding) }),
    errors: [],
  },
} as const satisfies OperationTable;

export type HooksApi = ApiOf<typeof hookOperations>;
