import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Whether this process may mount file systems; mostly only root may. */
export function canMount(): boolean {
  const probe = mkdtempSync(join(tmpdir(), "clew-mount-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=16k", "none", probe], { stdio: "ignore" });
    execFileSync("umount", [probe]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(probe, { recursive: true });
  }
}

/** A file system of a few megabytes that can be filled up. `using` unmounts and removes it. */
export class SmallDisk {
  readonly path = realpathSync(mkdtempSync(join(tmpdir(), "clew-small-")));
  /** What takes up the room. */
  readonly filler = join(this.path, "filler");

  constructor(size: string) {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "none", this.path]);
  }

  fill(leaveBytes: number): void {
    this.free();
    const shown = execFileSync("df", ["--output=avail", "-B1", this.path], { encoding: "utf8" });
    writeFileSync(this.filler, Buffer.alloc(Math.max(0, Number(shown.split("\n")[1]) - leaveBytes)));
  }

  free(): void {
    rmSync(this.filler, { force: true });
  }

  /** A shell command that fills it up. */
  fillCommand(leaveBytes: number): string {
    const room = `$(($(df --output=avail -B1 '${this.path}' | tail -n 1) - ${leaveBytes}))`;
    return `head -c "${room}" /dev/zero > '${this.filler}'`;
  }

  [Symbol.dispose](): void {
    execFileSync("umount", [this.path]);
    rmSync(this.path, { recursive: true });
  }
}
