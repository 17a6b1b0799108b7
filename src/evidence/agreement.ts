/** What one witness tells of a call. `command` is absent where it runs none. */
export interface Sight {
  tool: string;
  command?: string | undefined;
  failed: boolean;
}

interface SightBefore extends Omit<Sight, "failed"> {
  /** The command that Clew's own answer to the hook put in its place; absent where it is as the agent asked. */
  becomes?: string | undefined;
}

interface Sights {
  /** Whether the engine calls hooks at all. */
  expectsHooks: boolean;
  /** What the engine itself tells, in its stream or transcript; undefined when it knows no such call, or not how it ended. */
  stream: Sight | undefined;
  /** What the hooks before and after it told. */
  before: SightBefore | undefined;
  after: Sight | undefined;
}

/**
 * Why a call is no evidence, whatever it looks like. An agent can call a hook itself, and an engine may skip one; both together, of one
 * call, by its id, are not so easily made. A call that failed needs no second witness: it shows nothing. Where Clew itself put another
 * command in the place of one, the engine and the hook before it tell of what was asked, and the hook after it of what ran.
 */
export function disagreement({ expectsHooks, stream, before, after }: Sights): string | undefined {
  if (!stream) return "only a hook tells of it: the engine itself tells of no such call";
  if (!expectsHooks) return undefined;
  if (stream.failed) return after?.failed === false ? failedForOne : undefined;
  if (!before && !after) return "only the engine itself tells of it: its hooks were not called";
  if (!before) return "the hook before it was not called";
  if (!after) return "the hook after it was not called";
  for (const sight of [before, after]) {
    if (sight.tool !== stream.tool) return `the engine tells of ${stream.tool}, its hook of ${sight.tool}`;
  }
  if (before.command !== stream.command) return differentCommands;
  if (before.becomes !== undefined && after.command !== before.becomes) return otherThanRewritten;
  if (before.becomes === undefined && after.command !== stream.command) return differentCommands;
  return after.failed ? failedForOne : undefined;
}

const differentCommands = "the engine and its hook tell of different commands";
const otherThanRewritten = "a rule put another command in its place, and the hook after it tells of a third";
const failedForOne = "the engine and its hook do not agree on whether it failed";
