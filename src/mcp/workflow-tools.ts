import * as z from "zod/mini";
import type { ToolCaller } from "../app/rehydrate/ports.ts";
import type { ConnectedRuns } from "../app/run/connected/connected-runs.ts";
import { RefusedAdvance } from "../app/run/connected/refused-advance.ts";
import type { RunRequest } from "../contract/api/grimoire.ts";
import { runRequest } from "../contract/api/grimoire.ts";
import { sessionOperations } from "../contract/api/session.ts";
import type { Api } from "../contract/api/api.ts";
import { ClewError } from "../contract/errors.ts";
import { json, type Json } from "../contract/json.ts";
import { isObject } from "../text/is-object.ts";
import { anyResult } from "./any-result.ts";
import { inputSchemaOf } from "./input-schema.ts";
import type { JsonObject } from "./json-rpc.ts";
import { answeredCall, type Explain } from "./operation-tools.ts";
import { readInput } from "./read-input.ts";
import { toolCaller } from "./tool-caller.ts";
import type { Tool, ToolResult } from "./tools.ts";

/** What runs of connected agents need of the program, for as long as the server lives. */
export interface LiveOperations {
  api: Api;
  connectedRuns: () => Promise<ConnectedRuns>;
  close: () => Promise<void>;
}

interface WorkflowTool {
  title: string;
  about: string;
  input: z.ZodMiniObject;
  isIdempotent: boolean;
  /** `input` is checked. */
  call: (live: LiveOperations, input: never, caller: ToolCaller | undefined) => Promise<object>;
}

type StartInput = Omit<RunRequest, "variables"> & Partial<Pick<RunRequest, "variables">>;

const { bead, grimoire, target, anyway } = runRequest.shape;
const { kind, files } = sessionOperations.addBreadcrumb.request.shape;
const token = z.string();

const continueName = "workflow_continue";

const tools: Record<string, WorkflowTool> = {
  workflow_start: {
    title: "Start a workflow",
    about:
      "Starts a workflow on a bead (a task) in a worktree of its own, and goes on up to the first step that is yours: the answer has " +
      "its prompt, the folder to work in, and a token. Scripts, checks and merges are Clew's. Where the bead has a run already, goes on with that.",
    input: z.strictObject({ bead, grimoire, target, variables: z.optional(runRequest.shape.variables), anyway }),
    isIdempotent: true,
    call: async ({ connectedRuns }, { variables = {}, ...request }: StartInput, caller) =>
      (await connectedRuns()).start({ variables, ...request }, caller),
  },
  [continueName]: {
    title: "Continue a workflow",
    about:
      "Hands in the result of your step, with the token that you were given for it, and goes on up to your next step. A result that is " +
      "refused comes back with what to mend and a token to try again. To repeat a call is safe: it answers what was recorded.",
    input: z.strictObject({ token, result: json }),
    isIdempotent: true,
    call: async ({ connectedRuns }, { token: given, result }: { token: string; result: Json }, caller) =>
      (await connectedRuns()).advance(given, result, caller),
  },
  workflow_checkpoint: {
    title: "Note progress in a workflow",
    about:
      "Keeps a note of your progress in the run's session without ending your step: what is done, what you decided, what comes next. " +
      "Do it before your context may be cut.",
    input: z.strictObject({ token, text: z.string(), kind: z.optional(kind), files }),
    isIdempotent: false,
    call: async ({ api, connectedRuns }, note: { token: string; text: string; kind?: "note"; files?: string[] }) => {
      const { session } = await (await connectedRuns()).shown(note.token, "workflow_checkpoint");
      const { text, kind: noteKind = "note", files: about } = note;
      return api.sessions.addBreadcrumb({ cookie: session, kind: noteKind, text, files: about });
    },
  },
  workflow_resume: {
    title: "Resume a workflow",
    about:
      "Goes on with a run after a restart, a compaction or a long wait: the answer has the prompt and token of the step that is yours, with " +
      "its notes, decisions, open questions and what is missing, or what the run waits for.",
    input: z.strictObject({ run: z.string() }),
    isIdempotent: true,
    call: async ({ connectedRuns }, { run }: { run: string }, caller) => (await connectedRuns()).resume(run, caller),
  },
};

/** Whatever is wrong with the arguments, an advance that is refused tells the fix, with the token to try again. */
function continueInput(args: Json): Record<string, unknown> {
  try {
    return readInput(continueName, tools[continueName]!.input, args);
  } catch (error) {
    if (!(error instanceof ClewError)) throw error;
    const { message, hint } = error;
    const blocker = { kind: "invalid_arguments", message, fix: `${hint}; then call ${continueName} again` };
    const given = isObject(args) ? args["token"] : undefined;
    throw new RefusedAdvance(error.code, [blocker], typeof given === "string" ? given : undefined);
  }
}

/** The tools by which an agent works on the steps of a run. */
export class WorkflowTools {
  readonly #open: () => LiveOperations;
  readonly #explain: Explain;
  #live: LiveOperations | undefined;

  constructor(open: () => LiveOperations, explain: Explain) {
    this.#open = open;
    this.#explain = explain;
  }

  list(): Tool[] {
    return Object.entries(tools).map(([name, { title, about, input, isIdempotent }]) => {
      const schema = inputSchemaOf(input);
      const properties = schema["properties"] as JsonObject;
      return {
        name,
        title,
        description: about,
        inputSchema: {
          ...schema,
          properties: "result" in properties ? { ...properties, result: anyResult } : properties,
        },
        annotations: {
          readOnlyHint: false,
          destructiveHint: false,
          idempotentHint: isIdempotent,
          openWorldHint: false,
        },
      };
    });
  }

  /** Undefined when there is no tool of that name. Never throws. */
  async call(name: string, args: Json, meta?: Json): Promise<ToolResult | undefined> {
    const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
    if (!tool) return undefined;
    return answeredCall(this.#explain, async () => {
      const input = name === continueName ? continueInput(args) : readInput(name, tool.input, args);
      this.#live ??= this.#open();
      return (await tool.call(this.#live, input as never, toolCaller(meta))) as JsonObject;
    });
  }

  /** Drives no run any more: others may go on with them. What waits for one is answered with how it stands. */
  async stop(): Promise<void> {
    const runs = await this.#live?.connectedRuns().catch(() => undefined);
    await runs?.close();
  }

  async close(): Promise<void> {
    await this.#live?.close();
  }
}
