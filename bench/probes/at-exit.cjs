// Preloaded into a measured process: at its end, writes down its peak memory and the time since Node itself was ready.
const { writeFileSync } = require("node:fs");
const { performance } = require("node:perf_hooks");

process.on("exit", () => {
  const workMs = performance.now() - performance.nodeTiming.bootstrapComplete;
  const peakMb = (process.resourceUsage().maxRSS * 1024) / 1e6;
  writeFileSync(process.env.CLEW_BENCH_PROBE, JSON.stringify({ peakMb, workMs }));
});
