import * as z from "zod/mini";
import { reads, readsLocally, writesLocally, type ApiOf, type OperationTable } from "./operation.ts";
import { schedulerNews, type SchedulerNews } from "./scheduler.ts";

const text = z.string();
const nullable = z.nullable(text);

/** A daemon as it registered itself. */
const daemonInfo = z.strictObject({
  /** Of this start of it. Who is told another one speaks with a stranger. */
  id: text,
  pid: z.int(),
  version: text,
  started: text,
  /** The repository's main checkout. */
  root: text,
  /** The path of its Unix socket. */
  socket: text,
  /** Where it listens on loopback; null when it does not. */
  url: nullable,
});
export type DaemonInfo = z.infer<typeof daemonInfo>;

/** A token as lists show it. The token itself is told once, when it is made, and kept nowhere. */
const listedToken = z.strictObject({
  id: text,
  name: nullable,
  read_only: z.boolean(),
  /** It may tell hooks, and nothing else. */
  hooks_only: z.boolean(),
  created: text,
  /** Null when it never expires. */
  expires: nullable,
  is_expired: z.boolean(),
});
export type ListedToken = z.infer<typeof listedToken>;

const daemonEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("daemon.listening"), at: text, daemon: daemonInfo }),
  /** Something that a person should know, and that does not stop the daemon. */
  z.object({ type: z.literal("daemon.trouble"), at: text, message: text }),
]);
/** What a daemon tells of itself. */
export type DaemonEvent = z.infer<typeof daemonEvent>;
/** What a daemon tells while it runs. */
export type DaemonNews = DaemonEvent | SchedulerNews;

const service = z.strictObject({
  kind: z.enum(["systemd", "launchd"]),
  /** The file that tells the system to start the daemon. */
  path: text,
  /** What is left for a person to do, as commands. */
  next: z.array(text),
});
export type DaemonService = z.infer<typeof service>;

export const daemonOperations = {
  status: {
    ...reads,
    about: "The daemon of this repository, if it runs, and whether it is of this program's version.",
    request: z.strictObject({}),
    response: z.strictObject({
      /** Null when none runs. */
      daemon: z.nullable(daemonInfo),
      /** Of the program that answers. */
      version: text,
      /** The file of its log. */
      log: text,
      /** The runs that it drives now. */
      driving: z.array(text),
    }),
    errors: [],
  },
  run: {
    ...writesLocally,
    about:
      "Is the daemon: serves the API, takes up runs and ready beads, and watches what is written, until it is ended.",
    streams: true,
    request: z.strictObject({
      /** On loopback, too; 0 takes any port that is free. Without it, only on the Unix socket. */
      port: z.optional(z.int().check(z.minimum(0), z.maximum(65_535))),
    }),
    response: z.union([daemonEvent, schedulerNews]),
    errors: ["not_possible_now", "damaged_beads"],
  },
  start: {
    ...writesLocally,
    about: "Starts the daemon in the background, or gives the one that runs. It listens when this answers.",
    request: z.strictObject({ port: z.optional(z.int().check(z.minimum(0), z.maximum(65_535))) }),
    response: z.strictObject({ daemon: daemonInfo, is_new: z.boolean() }),
    errors: ["not_possible_now"],
  },
  stop: {
    ...writesLocally,
    about:
      "Ends the daemon: what it drives is interrupted, and goes on with the next one. It is gone when this answers.",
    request: z.strictObject({}),
    response: z.strictObject({ stopped: z.nullable(daemonInfo) }),
    errors: ["not_possible_now"],
  },
  install: {
    ...writesLocally,
    about: "Has the system start the daemon of this repository at login, or no longer.",
    request: z.strictObject({ remove: z.boolean(), port: z.optional(z.int().check(z.minimum(0), z.maximum(65_535))) }),
    response: z.strictObject({ service: z.nullable(service) }),
    errors: ["not_possible_now"],
  },
  createToken: {
    ...writesLocally,
    about: "Makes a token for programs that call the daemon.",
    request: z.strictObject({
      name: z.optional(text),
      read_only: z.boolean(),
      /** It may tell hooks, and nothing else. */
      hooks_only: z.optional(z.boolean()),
      /** A time after which it counts no more. */
      expires: z.optional(text),
    }),
    response: z.strictObject({ ...listedToken.shape, token: text }),
    errors: [],
  },
  listTokens: {
    ...readsLocally,
    about: "The tokens that were made and not revoked, oldest first.",
    request: z.strictObject({}),
    response: z.strictObject({ tokens: z.array(listedToken) }),
    errors: [],
  },
  revokeToken: {
    ...writesLocally,
    about: "Revokes a token: it counts no more, also for what is under way.",
    request: z.strictObject({ id: text }),
    response: z.strictObject({ id: text, revoked: z.literal(true) }),
    errors: ["unknown_token"],
  },
} as const satisfies OperationTable;

export type DaemonApi = ApiOf<typeof daemonOperations>;
