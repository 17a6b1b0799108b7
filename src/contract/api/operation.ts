import type * as z from "zod/mini";
import type { ErrorCode } from "../errors.ts";

/**
 * One thing that a front end can ask. Requests and responses are plain data, so that the CLI asks in its own process what
 * others ask over HTTP or MCP.
 */
export interface Operation {
  /** What it does, in a sentence. */
  about: string;
  /** `decides`: only a person may. Over HTTP it takes a person's token, and no agent is offered it. */
  effect: "reads" | "writes" | "decides";
  /** `local`: it needs the caller's own process, with its terminal, environment and Ctrl-C. */
  where: "local" | "either";
  request: z.ZodMiniType;
  /** Of a stream: each item. */
  response: z.ZodMiniType;
  streams?: true;
  /** The request has `limit` and `after`; the response has `next` where more follows. */
  paged?: true;
  /** What it refuses, beside what every operation may: a wrong request, a broken repository, a full disk. */
  errors: readonly ErrorCode[];
}

/** What an operation does, and whether it needs the caller's own process. */
export const reads = { effect: "reads", where: "either" } as const;
export const readsLocally = { effect: "reads", where: "local" } as const;
export const writes = { effect: "writes", where: "either" } as const;
export const writesLocally = { effect: "writes", where: "local" } as const;
export const decides = { effect: "decides", where: "either" } as const;

/** The operations of one resource. */
export type OperationTable = Record<string, Operation>;

export interface CallOptions {
  /** Ends a stream, or what a local operation does. */
  signal?: AbortSignal;
}

type Answer<O extends Operation> = O extends { streams: true }
  ? AsyncIterable<z.output<O["response"]>>
  : z.output<O["response"]>;

/** The functions of a table. A stream's promise resolves once nothing is refused any more. */
export type ApiOf<Table extends OperationTable> = {
  [Name in keyof Table]: (
    request: z.input<Table[Name]["request"]>,
    options?: CallOptions,
  ) => Promise<Answer<Table[Name]>>;
};

/** Codes that any operation may answer with. */
export const commonErrors = [
  "usage",
  "invalid_input",
  "invalid_config",
  "not_a_repository",
  "no_permission",
  "unreadable_file",
  "leads_outside",
  "disk_full",
  "locked",
  "not_available",
  "internal",
  "interrupted",
] as const satisfies readonly ErrorCode[];
