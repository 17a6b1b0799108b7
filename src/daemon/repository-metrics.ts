import type { Api } from "../contract/api/api.ts";
import type { Metric, Sample } from "./metrics-text.ts";

/** Figures of the repository: what runs, what waits, what was used. */
export async function repositoryMetrics(api: Api): Promise<Metric[]> {
  const { runs } = await api.runs.list({ all: true });
  const { groups } = await api.sessions.totals({ by: "status" });
  const { items } = await api.inbox.list({});
  const { total: ready } = await api.beads.ready({ limit: 1 });
  return [
    gauge("clew_runs", "Runs, by status.", countBy(runs.map(({ status }) => status))),
    gauge(
      "clew_sessions",
      "Sessions, by status.",
      groups.map(({ key, sessions }) => ({ labels: { status: key }, value: sessions })),
    ),
    gauge(
      "clew_tokens_used",
      "Tokens that sessions used, by status.",
      groups.flatMap(({ key, tokens_used }) =>
        tokens_used === null ? [] : [{ labels: { status: key }, value: tokens_used }],
      ),
    ),
    gauge(
      "clew_cost_usd",
      "What sessions cost, where it is known, by status.",
      groups.flatMap(({ key, cost_usd }) => (cost_usd === null ? [] : [{ labels: { status: key }, value: cost_usd }])),
    ),
    gauge(
      "clew_inbox_items",
      "What waits for a person, by kind.",
      countBy(
        items.map(({ kind }) => kind),
        "kind",
      ),
    ),
    gauge("clew_beads_ready", "Beads that could be worked on now.", [{ value: ready }]),
  ];
}

/** Figures of the daemon's own process. */
export function processMetrics(version: string, streams: number): Metric[] {
  const { user, system } = process.cpuUsage();
  return [
    gauge("clew_info", "The daemon's version.", [{ labels: { version }, value: 1 }]),
    gauge("clew_event_streams", "Streams that are open now.", [{ value: streams }]),
    gauge("process_resident_memory_bytes", "Memory of the daemon.", [{ value: process.memoryUsage.rss() }]),
    {
      name: "process_cpu_seconds_total",
      type: "counter",
      help: "Processor time of the daemon.",
      samples: [{ value: (user + system) / 1e6 }],
    },
    gauge("process_start_time_seconds", "When the daemon started, since 1970.", [
      { value: Math.round((performance.timeOrigin / 1000) * 1000) / 1000 },
    ]),
  ];
}

function gauge(name: string, help: string, samples: Sample[]): Metric {
  return { name, type: "gauge", help, samples };
}

function countBy(values: string[], label = "status"): Sample[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].map(([value, count]) => ({ labels: { [label]: value }, value: count }));
}
