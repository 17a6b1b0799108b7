import { existsSync } from "node:fs";
import { linuxProcesses } from "./linux-processes.ts";
import type { ProcessTable } from "./process-table.ts";
import { psProcesses } from "./ps-processes.ts";

export function systemProcesses(): ProcessTable {
  return existsSync("/proc/self/stat") ? linuxProcesses() : psProcesses();
}
