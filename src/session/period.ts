import type { Period, PeriodDay, PeriodSession } from "../contract/api/session-period.ts";
import type { SessionRow } from "../contract/session-row.ts";
import { sumIfAny } from "../text/sum-if-any.ts";
import type { Item } from "./items.ts";

/** More failures than these are counted, and not listed. */
const mostFailures = 200;
const mostTextChars = 500;

type Tool = Period["tools"][number];

/** Adds up the sessions of a period, one by one, newest first. Each session's figures are its own: no subagent counts twice. */
export class PeriodFold {
  readonly #days = new Map<string, PeriodDay & { costMicroUsd: number | null }>();
  readonly #tools = new Map<string, Tool>();
  readonly #sessions: PeriodSession[] = [];
  readonly #failures: Period["failures"] = [];
  #moreFailures = 0;
  #costMicroUsd: number | null = null;

  add(row: SessionRow, items: readonly Item[]): void {
    const calls = this.#readItems(row.session_id, items);
    const { session_id, title, status, kind, started, ended, tokens_used, cost_usd, errors } = row;
    const duration_ms = elapsed(started, ended);
    const figures = { tokens_used, cost_usd, duration_ms, errors };
    this.#sessions.push({ session_id, title, status, kind, started, ...figures, ...calls });
    const costMicroUsd = row.used.reduce<number | null>((sum, share) => sumIfAny(sum, share.cost_micro_usd), null);
    this.#costMicroUsd = sumIfAny(this.#costMicroUsd, costMicroUsd);
    const name = dayOf(started);
    const day = this.#days.get(name) ?? emptyDay(name);
    this.#days.set(name, {
      ...day,
      sessions: day.sessions + 1,
      failed: day.failed + (status === "failed" ? 1 : 0),
      tokens_used: sumIfAny(day.tokens_used, tokens_used),
      costMicroUsd: sumIfAny(day.costMicroUsd, costMicroUsd),
      duration_ms: sumIfAny(day.duration_ms, duration_ms),
      errors: day.errors + errors,
    });
  }

  /** All of it. `since` and `until` are the instants that were asked for. */
  result(since: string | null, until: string | null): Period {
    const sessions = this.#sessions;
    const sum = (of: (each: PeriodSession) => number | null): number =>
      sessions.reduce((total, each) => total + (of(each) ?? 0), 0);
    const sumKnown = (of: (each: PeriodSession) => number | null): number | null =>
      sessions.reduce<number | null>((total, each) => sumIfAny(total, of(each)), null);
    return {
      since,
      until,
      total: {
        sessions: sessions.length,
        failed: sum(({ status }) => (status === "failed" ? 1 : 0)),
        tokens_used: sumKnown((each) => each.tokens_used),
        cost_usd: dollarsOf(this.#costMicroUsd),
        duration_ms: sumKnown((each) => each.duration_ms),
        tool_calls: sum((each) => each.tool_calls),
        failed_tool_calls: sum((each) => each.failed_tool_calls),
        errors: sum((each) => each.errors),
      },
      days: [...this.#days.values()]
        .map(({ costMicroUsd, ...day }) => ({ ...day, cost_usd: dollarsOf(costMicroUsd) }))
        .sort((a, b) => (a.day < b.day ? -1 : 1)),
      tools: [...this.#tools.values()].sort((a, b) => b.calls - a.calls || (a.name < b.name ? -1 : 1)),
      failures: this.#failures,
      more_failures: this.#moreFailures,
      sessions,
    };
  }

  /** Calls and failures of one session. */
  #readItems(session_id: string, items: readonly Item[]): { tool_calls: number; failed_tool_calls: number } {
    let [tool_calls, failed_tool_calls] = [0, 0];
    let phase: string | null = null;
    for (const item of items) {
      if (item.kind === "phase") phase = item.title;
      else if (item.kind === "tool") {
        const tool = this.#tools.get(item.name) ?? { name: item.name, calls: 0, failed: 0 };
        this.#tools.set(item.name, { ...tool, calls: tool.calls + 1, failed: tool.failed + (item.failed ? 1 : 0) });
        tool_calls++;
        if (!item.failed) continue;
        failed_tool_calls++;
        this.#addFailure({ session_id, phase, kind: "call", text: `${item.name} ${item.args}`, result: item.result });
      } else if (item.kind === "error")
        this.#addFailure({ session_id, phase, kind: "error", text: item.text, result: item.resolution });
    }
    return { tool_calls, failed_tool_calls };
  }

  #addFailure({
    result,
    text,
    ...failure
  }: Omit<Period["failures"][number], "result"> & { result?: string | undefined }): void {
    if (this.#failures.length >= mostFailures) {
      this.#moreFailures++;
      return;
    }
    this.#failures.push({ ...failure, text: cut(text), ...(result !== undefined && { result: cut(result) }) });
  }
}

function emptyDay(day: string): PeriodDay & { costMicroUsd: number | null } {
  const nothingKnown = { tokens_used: null, cost_usd: null, costMicroUsd: null, duration_ms: null };
  return { day, sessions: 0, failed: 0, errors: 0, ...nothingKnown };
}

function dollarsOf(microUsd: number | null): number | null {
  return microUsd === null ? null : microUsd / 1e6;
}

/** The day on which it began, in UTC: who reads it may be anywhere. */
function dayOf(started: string): string {
  const ms = Date.parse(started);
  return Number.isNaN(ms) ? started.slice(0, 10) : new Date(ms).toISOString().slice(0, 10);
}

function elapsed(started: string, ended: string | null): number | null {
  const ms = ended === null ? NaN : Date.parse(ended) - Date.parse(started);
  return Number.isNaN(ms) ? null : ms;
}

function cut(text: string): string {
  return text.length > mostTextChars ? `${text.slice(0, mostTextChars).replace(/[\uD800-\uDBFF]$/, "")}…` : text;
}
