import { InvalidArgumentError, type Command } from "commander";
import type { Limits } from "../contract/limits.ts";
import { readDuration } from "../text/duration.ts";
import { readLimit } from "./read-count.ts";

export interface LimitOptions {
  maxCost?: number;
  maxTokens?: number;
  maxRounds?: number;
  maxTime?: number;
}

/** The options that limit what agents may use. */
export function addLimitOptions(command: Command): Command {
  return command
    .option("--max-cost <dollars>", "wait for you when agents have cost so much", readDollars)
    .option("--max-tokens <n>", "wait for you when they have used so many", readLimit)
    .option("--max-rounds <n>", "wait for you after so many exchanges with a model", readLimit)
    .option("--max-time <duration>", "wait for you after so much work, such as 30m", readTime);
}

/** What the options say; empty when none was given. */
export function limitsOf({ maxCost, maxTokens, maxRounds, maxTime }: LimitOptions): { limits?: Limits } {
  const limits: Limits = {
    ...(maxCost !== undefined && { max_cost_usd: maxCost }),
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...(maxRounds !== undefined && { max_rounds: maxRounds }),
    ...(maxTime !== undefined && { max_time_ms: maxTime }),
  };
  return Object.keys(limits).length === 0 ? {} : { limits };
}

function readDollars(text: string): number {
  const value = /^\d{1,7}(?:\.\d{1,6})?$/.test(text) ? Number(text) : 0;
  if (value > 0) return value;
  throw new InvalidArgumentError("It must be an amount in US dollars, such as 2.50.");
}

function readTime(text: string): number {
  const ms = readDuration(text);
  if (ms !== undefined) return ms;
  throw new InvalidArgumentError("It must be a duration such as 30m or 1h30m, at most 30d.");
}
