import { readdirSync, readFileSync } from "node:fs";
import { constants } from "node:os";

/** Every process of this machine with its parent; none that ended meanwhile. */
function parents(): Map<number, number> {
  const found = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = readOrNothing(`/proc/${name}/stat`);
    const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (state !== undefined && state !== "Z") found.set(Number(name), Number(parent));
  }
  return found;
}

/** A process and all that descends from it. */
export function treeOf(root: number): number[] {
  const all = parents();
  const tree = [root];
  for (let at = 0; at < tree.length; at++) {
    for (const [pid, parent] of all) if (parent === tree[at]) tree.push(pid);
  }
  return tree;
}

/** Processes that have this text in their environment: it names what started them. */
export function processesWith(text: string): number[] {
  return [...parents().keys()].filter(
    (pid) => pid !== process.pid && readOrNothing(`/proc/${pid}/environ`).includes(text),
  );
}

export function endNow(pid: number): void {
  signal(pid, "SIGKILL");
}

/** Lets a process go on that was stopped. */
export function continueNow(pid: number): void {
  signal(pid, "SIGCONT");
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended by itself.
  }
}

/** Whether a signal was sent to a process that has not taken it yet: one that is stopped takes none but SIGKILL and SIGCONT. */
export function isPending(pid: number, name: NodeJS.Signals): boolean {
  const [, bits = "0"] = /^ShdPnd:\s*([0-9a-f]+)$/m.exec(readOrNothing(`/proc/${pid}/status`)) ?? [];
  return ((BigInt(`0x${bits}`) >> BigInt(constants.signals[name] - 1)) & 1n) === 1n;
}

function readOrNothing(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
