import * as z from "zod/mini";
import { connectionParts, hookEngines, hookScopes } from "../hook.ts";
import { readsLocally, writesLocally, type ApiOf, type OperationTable } from "./operation.ts";

const engine = z.enum(hookEngines);
const scope = z.enum(hookScopes);
const parts = z.array(z.enum(connectionParts));
const file = { engine, scope, path: z.string(), parts };

/** What became of a file of an engine's settings. */
const connectionChange = z.strictObject({
  ...file,
  /** `made`: there was no such file; `removed`: it was there for our part alone; `none`: it is as it was. */
  change: z.enum(["made", "changed", "removed", "none"]),
  /** The lines that go and come, each with `-` or `+` before it. */
  diff: z.array(z.string()),
  /** What is still to be done by a person. */
  notes: z.array(z.string()),
});
export type ConnectionChange = z.infer<typeof connectionChange>;

/** How a file of an engine's settings stands. */
const connectionStanding = z.strictObject({
  ...file,
  /** `parts` are those that it has; `unreadable`: see `problem`. */
  status: z.enum(["installed", "none", "unreadable"]),
  problem: z.exactOptional(z.string()),
});
export type ConnectionStanding = z.infer<typeof connectionStanding>;

const request = z.strictObject({
  parts,
  engine: z.optional(engine),
  scope: z.optional(scope),
  dry_run: z.optional(z.boolean()),
});
const response = z.strictObject({ settings: z.array(connectionChange) });

export const connectionOperations = {
  install: {
    ...writesLocally,
    about:
      "Connects engines to Clew: hooks and the MCP server in their settings. Everything else in them keeps its bytes.",
    request,
    response,
    errors: ["unknown_engine", "not_possible_now"],
  },
  uninstall: {
    ...writesLocally,
    about: "Takes these out of the settings of engines again, to the byte.",
    request,
    response,
    errors: ["not_possible_now"],
  },
  status: {
    ...readsLocally,
    about: "Which settings of engines have these.",
    request: z.strictObject({ parts, engine: z.optional(engine), scope: z.optional(scope) }),
    response: z.strictObject({ settings: z.array(connectionStanding) }),
    errors: [],
  },
} as const satisfies OperationTable;

export type ConnectionsApi = ApiOf<typeof connectionOperations>;
