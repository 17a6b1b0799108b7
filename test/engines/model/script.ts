/** What the model says, in words that fit every wire. */
export interface Script {
  readonly turns: readonly Turn[];
  /** The work itself may offer no tools, so that every request is taken for a part of it. */
  readonly isBare?: true;
}

/** One answer of the model. A turn without `say`, `think` and calls says "Done.". */
export interface Turn {
  /** Takes this turn as soon as the text occurs in what the engine sent since the last answer, whatever its place. */
  readonly when?: string;
  readonly think?: string;
  /** Several texts are as many blocks of one message, where the wire has such. */
  readonly say?: string | readonly string[];
  /** Why the model ended, when it did not come to its end. */
  readonly stop?: "max_tokens" | "refusal";
  readonly tool?: ToolUse;
  readonly mcp?: McpUse;
  readonly usage?: Usage;
  readonly fault?: Fault;
}

/** Where the input depends on what came before, it is made of what the engine sent since the last answer. */
export interface McpUse {
  readonly server?: string;
  readonly tool: string;
  readonly input: McpInput | ((news: string) => McpInput);
}

type McpInput = Record<string, unknown>;

/** A kind is translated into the engine's own tool; a name is taken as it stands. */
export type ToolUse =
  | { readonly kind: "shell"; readonly input: { readonly command: string } }
  | { readonly kind: "write"; readonly input: { readonly path: string; readonly content: string } }
  | { readonly name: string; readonly input: Record<string, unknown> };

/** `input` counts all tokens of the request; `cached` says how many of them came from the cache. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
}

/** What goes wrong instead of the answer: each time, or only the first `times`. */
export type Fault = { readonly times?: number } & (
  | { readonly error: { readonly status: number; readonly type: string; readonly message: string } }
  | { readonly hang: true }
  | { readonly cutAfterEvents: number }
);

/** What a wire finds in a request. */
export interface Conversation {
  /** How many answers of the model it holds. */
  readonly answers: number;
  /** What was added since the last answer, as text to search in. */
  readonly news: string;
  readonly tools: readonly OfferedTool[];
}

export interface OfferedTool {
  readonly name: string;
  /** Codex groups the tools of an MCP server under a name. */
  readonly namespace?: string;
  /** Codex hides the tools of servers behind a search, and takes calls of them all the same. */
  readonly hidesOthers?: true;
}

/**
 * Finds the turn by what the request holds, and by nothing else: a session that is resumed with another server, or
 * after a kill, goes on where it was. Turns with `when` go first; the others are numbered by the answers so far.
 */
export function pickTurn(script: Script, { answers, news }: Conversation): Turn {
  const called = script.turns.find(({ when }) => when !== undefined && news.includes(when));
  return called ?? script.turns.filter(({ when }) => when === undefined)[answers] ?? { say: "Done." };
}
