import type { LimitKind, Limits, ReachedLimit } from "../contract/limits.ts";
import type { Usage } from "../contract/run.ts";
import { formatDuration } from "../text/duration.ts";
import { formatCount, formatDollars } from "../text/figures.ts";

/** What was used so far. A cost that is not known counts as nothing. */
export interface Spent {
  usage: Usage | undefined;
  rounds: number;
  timeMs: number;
}

/**
 * The first limit that is used up. With `passed`, only one of which more was used: an agent that came to its end with
 * exactly as much as it may has kept to it.
 */
export function limitReached(
  limits: Limits,
  spent: Spent,
  { passed = false, kinds = allKinds }: { passed?: boolean; kinds?: readonly LimitKind[] } = {},
): ReachedLimit | undefined {
  for (const kind of kinds) {
    const limit = limits[kind];
    const used = usedOf[kind](spent);
    if (limit !== undefined && (used > limit || (!passed && used === limit))) return { kind, limit, used };
  }
  return undefined;
}

const usedOf: Record<LimitKind, (spent: Spent) => number> = {
  max_cost_usd: ({ usage }) => usage?.cost_usd ?? 0,
  max_tokens: ({ usage }) => (usage ? usage.input_tokens + usage.output_tokens : 0),
  max_rounds: ({ rounds }) => rounds,
  max_time_ms: ({ timeMs }) => timeMs,
};
const allKinds = Object.keys(usedOf) as LimitKind[];

/** The limit in words: which one, and how much was used. */
export function limitWords({ kind, limit, used, agent }: ReachedLimit): string {
  const { flag, text, unit } = forms[kind];
  const source = agent === undefined ? flag : `${keyOf(flag)} of the agent ${agent}`;
  const what = limit === 1 ? unit.replace(/s$/, "") : unit;
  return `reached its limit of ${text(limit)}${what} (${source}): ${text(used)} used`;
}

/** The option that raises a limit far enough to go on: `--max-cost 5`. */
export function raisedLimit({ kind, limit, used }: ReachedLimit): string {
  const { flag, argument } = forms[kind];
  return `${flag} ${argument(roundedUp(Math.max(limit, used) * 2))}`;
}

/** What a limit is called in the file of an agent: `max_cost`. */
function keyOf(flag: string): string {
  return flag.slice(2).replace("-", "_");
}

interface Form {
  flag: string;
  text: (value: number) => string;
  unit: string;
  /** As the option takes it. */
  argument: (value: number) => string;
}

const plain = (value: number): string => String(Math.ceil(value));
const grouped = (value: number): string => formatCount(Math.round(value));

const forms: Record<LimitKind, Form> = {
  max_cost_usd: { flag: "--max-cost", text: formatDollars, unit: "", argument: (value) => String(value) },
  max_tokens: { flag: "--max-tokens", text: grouped, unit: " tokens", argument: plain },
  max_rounds: { flag: "--max-rounds", text: grouped, unit: " rounds", argument: plain },
  max_time_ms: {
    flag: "--max-time",
    text: (value) => formatDuration(value < 1000 ? value : Math.floor(value / 1000) * 1000),
    unit: " of work",
    argument: (value) => formatDuration(value < 1000 ? value : Math.ceil(value / 1000) * 1000),
  },
};

/** With two digits that count. */
function roundedUp(value: number): number {
  const unit = 10 ** (Math.floor(Math.log10(value)) - 1);
  return Number((Math.ceil(value / unit - 1e-9) * unit).toPrecision(2));
}
