import type { Metric, Sample } from "./metrics-text.ts";

const bucketSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

interface Timing {
  buckets: number[];
  sum: number;
  count: number;
}

/** Counts what was asked and how long it took, since the daemon began. Routes are few, so that what is kept is, too. */
export class RequestMetrics {
  readonly #counts = new Map<string, { labels: Record<string, string>; value: number }>();
  readonly #timings = new Map<string, Timing>();

  /** `route` is the operation, or what else was asked for; streams are timed until they end. */
  add(route: string, status: number, seconds: number): void {
    const key = `${route} ${status}`;
    const count = this.#counts.get(key) ?? { labels: { route, status: String(status) }, value: 0 };
    count.value++;
    this.#counts.set(key, count);
    const timing = this.#timings.get(route) ?? { buckets: bucketSeconds.map(() => 0), sum: 0, count: 0 };
    bucketSeconds.forEach((limit, at) => (timing.buckets[at]! += seconds <= limit ? 1 : 0));
    timing.sum += seconds;
    timing.count++;
    this.#timings.set(route, timing);
  }

  metrics(): Metric[] {
    const samples = [...this.#timings].flatMap(([route, { buckets, sum, count }]): Sample[] => [
      ...buckets.map((value, at) => ({ suffix: "_bucket", labels: { route, le: String(bucketSeconds[at]) }, value })),
      { suffix: "_bucket", labels: { route, le: "+Inf" }, value: count },
      { suffix: "_sum", labels: { route }, value: sum },
      { suffix: "_count", labels: { route }, value: count },
    ]);
    return [
      {
        name: "clew_http_requests_total",
        type: "counter",
        help: "Requests that were answered, by operation and status.",
        samples: [...this.#counts.values()],
      },
      {
        name: "clew_http_request_duration_seconds",
        type: "histogram",
        help: "How long requests took, by operation.",
        samples,
      },
    ];
  }
}
