import { cpus, loadavg, release, totalmem, type } from "node:os";

/** What the figures depend on. */
export function machine() {
  const all = cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    cpu: all[0]?.model.trim() ?? "unknown",
    cores: all.length,
    memory_gb: Math.round(totalmem() / 1e9),
    system: `${type()} ${release().split(".").slice(0, 2).join(".")}`,
    node: process.version,
  };
}

/** Who else is at work: a figure taken on a busy machine says little. */
export function load() {
  return Number((loadavg()[0] ?? 0).toFixed(2));
}
