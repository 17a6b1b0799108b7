import type { ProcessHost } from "./process-host.ts";

/** How many processes wait for their turn at least. Starting one takes longer than most tests. */
const spares = 1;

/** Processes that share one store. Those that a test leaves alive and idle serve the next. */
export class ProcessPool {
  readonly #make: () => ProcessHost;
  readonly #idle: ProcessHost[] = [];
  readonly #all = new Set<ProcessHost>();

  constructor(make: () => ProcessHost) {
    this.#make = make;
    this.#fill();
  }

  take(): ProcessHost {
    const host = this.#idle.shift() ?? this.#add();
    this.#fill();
    return host;
  }

  giveBack(hosts: Iterable<ProcessHost>): void {
    for (const host of hosts) {
      if (host.isIdle) this.#idle.push(host);
      else void this.kill(host);
    }
  }

  async kill(host: ProcessHost): Promise<void> {
    this.#all.delete(host);
    await host.kill();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#all].map((host) => this.kill(host)));
  }

  #fill(): void {
    while (this.#idle.length < spares) this.#idle.push(this.#add());
  }

  #add(): ProcessHost {
    const host = this.#make();
    this.#all.add(host);
    return host;
  }
}
