// Preloaded into a measured process: at its end, writes down its peak memory and the time since Node itself was ready.
const { readFileSync, writeFileSync } = require("node:fs");
const { performance } = require("node:perf_hooks");

process.on("exit", () => {
  const workMs = performance.now() - performance.nodeTiming.bootstrapComplete;
  writeFileSync(process.env.CLEW_BENCH_PROBE, JSON.stringify({ peakMb: peakKb() / 1000, workMs }));
});

/** Linux counts the memory of whoever started a process into its `maxRSS`; this file knows the process alone. */
function peakKb() {
  if (process.platform !== "linux") return process.resourceUsage().maxRSS;
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8"))[1]) * 1.024;
}
