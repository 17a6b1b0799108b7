import { readdirSync, readFileSync } from "node:fs";

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
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself.
  }
}

function readOrNothing(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
