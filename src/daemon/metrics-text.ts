/** One figure, with what tells it from others of its kind. */
export interface Sample {
  labels?: Record<string, string>;
  value: number;
  /** Of a histogram: `_bucket`, `_sum` or `_count`. */
  suffix?: string;
}

export interface Metric {
  name: string;
  type: "gauge" | "counter" | "histogram";
  help: string;
  samples: Sample[];
}

export const metricsType = "text/plain; version=0.0.4; charset=utf-8";

/** Figures in the text format of Prometheus. */
export function metricsText(metrics: Metric[]): string {
  return metrics
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, type, help, samples }) => {
      const head = `# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}\n# TYPE ${name} ${type}\n`;
      return (
        head + samples.map((sample) => `${name}${sample.suffix ?? ""}${labelsText(sample)} ${sample.value}\n`).join("")
      );
    })
    .join("");
}

function labelsText({ labels = {} }: Sample): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
