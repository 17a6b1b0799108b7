/** What the command line of `clew hook` says. */
export interface HookWords {
  event: string | undefined;
  engine: string | undefined;
  /** The process that drives the agent keeps and answers it, if that can be reached. */
  toDriver?: boolean;
  /** What is wrong with it, in words. It counts for as much as it says. */
  problem?: string;
}

/** Reads `EVENT [--engine NAME] [--to-driver]`. Never throws: a wrong command line in an engine's settings must not stop an agent. */
export function readHookWords(argv: readonly string[]): HookWords {
  const words: HookWords = { event: undefined, engine: undefined };
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at]!;
    if (word === "--engine") words.engine = argv[++at];
    else if (word.startsWith("--engine=")) words.engine = word.slice("--engine=".length);
    else if (word === "--to-driver") words.toDriver = true;
    else if (!word.startsWith("-") && words.event === undefined) words.event = word;
    else words.problem = `clew hook does not know ${JSON.stringify(word.slice(0, 80))}`;
  }
  return words;
}
