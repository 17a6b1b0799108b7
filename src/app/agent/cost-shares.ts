import type { TokensEntry } from "../../contract/session.ts";
import { enginesIn } from "../../session/engine-sessions.ts";
import type { SessionParts } from "../session/parts.ts";

/** Without the traces of binary fractions: a person reads this. */
function rounded(costUsd: number): number {
  return Math.round(costUsd * 1e6) / 1e6;
}

/**
 * Gives what an agent cost to the tasks that it worked on. Engines tell one figure for all of them: each task has the part that it has
 * of the tokens.
 */
export class CostShares {
  readonly #engine: string;
  /** Tokens whose cost is not told yet, by task. */
  readonly #tokens = new Map<string | undefined, number>();
  #countedUsd: number;

  constructor(engine: string, countedUsd = 0) {
    this.#engine = engine;
    this.#countedUsd = countedUsd;
  }

  used(task: string | undefined, tokens: number): void {
    this.#tokens.set(task, (this.#tokens.get(task) ?? 0) + tokens);
  }

  /** The entries that bring the cost up to `totalUsd`. */
  take(totalUsd: number): TokensEntry[] {
    const rest = rounded(totalUsd - this.#countedUsd);
    if (rest <= 0) return [];
    this.#countedUsd = totalUsd;
    const tasks = this.#tokens.size > 0 ? [...this.#tokens] : [[undefined, 1] as const];
    const all = tasks.reduce((sum, [, tokens]) => sum + tokens, 0);
    this.#tokens.clear();
    let left = rest;
    return tasks.map(([task, tokens], at): TokensEntry => {
      // The last one has what rounding left.
      const cost = at === tasks.length - 1 ? rounded(left) : rounded((rest * tokens) / all);
      left -= cost;
      const by = { engine: this.#engine, ...(task !== undefined && { task }) };
      return { kind: "tokens", tokens: 0, ...by, cost_usd: cost };
    });
  }
}

/** The entries with these costs behind them. Where the last one is of the same task and tells none, it tells it. */
export function withCosts<Entry extends { kind: string }>(
  entries: readonly (Entry | TokensEntry)[],
  costs: readonly TokensEntry[],
): (Entry | TokensEntry)[] {
  const last = entries.at(-1);
  const cost = last && isWithoutCost(last) ? costs.find(({ task }) => task === last.task) : undefined;
  if (!last || !cost) return [...entries, ...costs];
  const told = { ...(last as TokensEntry), cost_usd: cost.cost_usd! };
  return [...entries.slice(0, -1), told, ...costs.filter((each) => each !== cost)];
}

function isWithoutCost(entry: { kind: string }): entry is TokensEntry {
  return entry.kind === "tokens" && (entry as TokensEntry).cost_usd === undefined;
}

/** What a session cost before entries told it: an entry, so that the cost follows from all of them. */
export async function uncountedCost({ records }: Pick<SessionParts, "records">, id: string): Promise<TokensEntry[]> {
  const { frontmatter } = await records.read(id);
  const counted = await records.change(id, ({ tally }) => tally.costMicroUsd ?? 0);
  const cost_usd = rounded((frontmatter.cost_usd ?? 0) - counted / 1e6);
  if (cost_usd <= 0) return [];
  const [engine, ...others] = enginesIn(frontmatter);
  return [{ kind: "tokens", tokens: 0, ...(engine !== undefined && others.length === 0 && { engine }), cost_usd }];
}
