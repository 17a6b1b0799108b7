import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DaemonInfo } from "../../src/contract/api/daemon.ts";
import { endDaemon } from "./end-daemon.ts";
import { write, writeBead } from "./grimoires.ts";
import { endNow, processesWith } from "./processes.ts";
import { Repo } from "./repo.ts";
import { until } from "./runs.ts";

export interface DaemonStatus {
  daemon: DaemonInfo | null;
  version: string;
  log: string;
  driving: string[];
}

let lastNumber = 0;

/**
 * A repository whose daemons have a folder of sockets of their own. `await using` ends them, and all that they started. Its beads have
 * grimoires whose steps wait at a gate.
 */
export class DaemonRepo extends Repo implements AsyncDisposable {
  readonly runtime = realpathSync(mkdtempSync(join(tmpdir(), "clew-run-")));
  /** In the environment of all that a daemon of this repository starts. */
  readonly name = `daemon-test-${process.pid}-${++lastNumber}-`;
  readonly gate = join(this.root, ".git/go");
  readonly marksFile = join(this.root, ".git/marks");

  constructor(...beads: string[]) {
    super();
    Object.assign(this.env, { XDG_RUNTIME_DIR: this.runtime, DAEMON_TEST: this.name });
    writeBead(this, ...beads.map((id) => ({ id, title: `Bead ${id}`, status: "open" })));
    write(this, ".clew/config.yaml", "default_grimoire: gated\n");
    const mark = (what: string): string => `echo "${what} {{.bead.id}}" >> '${this.marksFile}'`;
    this.script("gated", `${mark("begin")}; while [ ! -e '${this.gate}' ]; do sleep 0.02; done; ${mark("end")}`);
  }

  /** A grimoire of one script. */
  script(name: string, command: string): void {
    const steps = JSON.stringify([{ name: "work", type: "script", command }]);
    write(this, `.clew/grimoires/${name}.yaml`, `name: ${name}\ndescription: For a test.\nsteps: ${steps}\n`);
  }

  get marks(): string[] {
    return existsSync(this.marksFile) ? readFileSync(this.marksFile, "utf8").trimEnd().split("\n") : [];
  }

  get registrationFile(): string {
    return join(this.home, "state/daemon.json");
  }

  get registration(): Record<string, unknown> {
    return JSON.parse(readFileSync(this.registrationFile, "utf8")) as Record<string, unknown>;
  }

  get logged(): string {
    const file = join(this.home, "logs/daemon.log");
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  }

  async startDaemon(...args: string[]): Promise<DaemonInfo> {
    return (await this.json<{ daemon: DaemonInfo }>("daemon", "start", ...args)).daemon;
  }

  async status(): Promise<DaemonStatus & { code: number | null }> {
    const { code, stdout } = await this.run(["daemon", "status", "--json"]);
    return { code, ...(JSON.parse(stdout) as DaemonStatus) };
  }

  async runs(): Promise<Record<string, string>> {
    const { runs } = await this.json<{ runs: { bead_id: string; status: string }[] }>("run", "list");
    return Object.fromEntries(runs.map(({ bead_id, status }) => [bead_id, status]));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await endDaemon(this, this.name);
    for (const pid of processesWith(this.name)) endNow(pid);
    await until(() => processesWith(this.name).length === 0);
    this[Symbol.dispose]();
    rmSync(this.runtime, { recursive: true, force: true });
  }
}

/** What is answered on a Unix socket. */
export function ask(socketPath: string, path: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const asking = request({ socketPath, path, agent: false }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (part: string) => (body += part));
      response.on("end", () => resolve({ status: response.statusCode!, body }));
    });
    asking.on("error", reject).end();
  });
}

/** The rights to a file, as chmod takes them. */
export function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}
