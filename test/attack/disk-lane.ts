import { random } from "../support/random.ts";
import { Repo } from "../support/repo.ts";
import { SmallDisk } from "../support/small-disk.ts";
import { Killer } from "./kill.ts";
import { Broken, type Lane } from "./lane.ts";

/** A disk that fills up and is freed again under writers. What was acknowledged stays; what was refused says so. */
export class DiskLane implements Lane {
  readonly name: string;
  readonly #disk = new SmallDisk("24m");
  readonly #repo = new Repo(this.#disk.path);
  readonly #next: () => number;
  readonly #killer: Killer;
  readonly #acknowledged: string[] = [];
  #session: string | undefined;
  #count = 0;

  constructor(seed: number) {
    this.name = `disk ${seed}`;
    this.#next = random(seed);
    this.#killer = new Killer(this.#next);
  }

  get root(): string {
    return this.#repo.root;
  }

  get kills(): number {
    return this.#killer.kills;
  }

  async act(): Promise<void> {
    this.#session ??= await this.#repo.clew("session", "start", "On a small disk");
    const roll = this.#next();
    if (roll < 0.3) this.#disk.fill(Math.floor(this.#next() * 20_000));
    else if (roll < 0.5) this.#disk.free();
    const text = `entry ${++this.#count} ${"x".repeat(Math.floor(this.#next() * 3000))}`;
    const child = this.#repo.start(["session", "log", "decision", text, "-s", this.#session, "--json"]);
    const { isKilled, code, stdout, stderr } = await this.#killer.strike(child, "log", 0.3);
    if (!isKilled && code === 0) this.#acknowledged.push(text);
    if (!isKilled && code !== 0 && !stdout.includes('"disk_full"'))
      throw new Broken("refused for another reason than the disk", { code, stdout, stderr });
    if (this.#next() < 0.1) await this.#check();
  }

  async finish(): Promise<void> {
    await this.#check();
  }

  [Symbol.dispose](): void {
    this.#disk[Symbol.dispose]();
  }

  async #check(): Promise<void> {
    this.#disk.free();
    const { code, stdout, stderr } = await this.#repo.run(["session", "show", this.#session!, "--json"]);
    const lost = this.#acknowledged.filter((text) => !stdout.includes(JSON.stringify(text)));
    if (code !== 0 || lost.length > 0) throw new Broken("acknowledged entries are gone", { code, stderr, lost });
  }
}
