import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { random } from "../support/random.ts";
import { Repo, textsOf } from "../support/repo.ts";
import type { SessionDocument } from "../../src/contract/session.ts";
import { attempt, gitActs } from "./git-acts.ts";
import { Killer } from "./kill.ts";
import { Broken, pick, type Lane } from "./lane.ts";

/** What is known of one session. */
interface Known {
  id: string;
  /** On disk, by the program's own word, in this order as far as one writer saw it. */
  acknowledged: string[];
  /** Begun by a command that was killed: may be there or not. */
  possible: Set<string>;
  isEnded: boolean;
  /** A branch had all of it once, so that Clew may leave it to git from then on. */
  wasCommitted: boolean;
}

const readers = [
  ["session", "list"],
  ["session", "search", "entry"],
  ["session", "stats"],
  ["inbox"],
  ["doctor"],
  ["index", "rebuild"],
  ["index", "check"],
];

/** Writers, readers, editors and git at work on sessions, killed at random. No acknowledged entry may be lost. */
export class SessionLane implements Lane {
  readonly name: string;
  readonly #repo: Repo;
  readonly #next: () => number;
  readonly #killer: Killer;
  readonly #sessions: Known[] = [];
  readonly #didLately: string[] = [];
  #count = 0;

  constructor(seed: number, repo = new Repo()) {
    this.name = `sessions ${seed}`;
    this.#repo = repo;
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
    const acts: [number, () => Promise<void>][] = [
      [this.#open().length === 0 ? 1 : 0.03, () => this.#start()],
      [0.5, () => this.#write()],
      [0.15, () => this.#git()],
      [0.1, () => this.#edit()],
      [0.1, () => this.#read()],
      [0.05, () => this.#end()],
      [1, () => this.#check()],
    ];
    for (const [share, act] of acts) {
      if (this.#next() >= share) continue;
      try {
        return await act();
      } catch (error) {
        throw error instanceof Broken ? new Broken(`${error.message}\nbefore: ${this.#didLately.join(", ")}`) : error;
      }
    }
  }

  async finish(): Promise<void> {
    await this.#check();
  }

  [Symbol.dispose](): void {
    this.#repo[Symbol.dispose]();
  }

  #open(): Known[] {
    return this.#sessions.filter(({ isEnded }) => !isEnded);
  }

  #did(what: string): void {
    this.#didLately.push(what);
    if (this.#didLately.length > 30) this.#didLately.shift();
  }

  async #start(): Promise<void> {
    this.#did("start");
    const child = this.#repo.start(["session", "start", `Session ${++this.#count}`]);
    const { isKilled, code, stdout, stderr } = await this.#killer.strike(child, "start", 0.3);
    if (isKilled) return;
    if (code !== 0) throw new Broken("a session could not be started", { code, stderr });
    this.#sessions.push({
      id: stdout.trim(),
      acknowledged: [],
      possible: new Set(),
      isEnded: false,
      wasCommitted: false,
    });
  }

  /** One to four writers at the same moment, alone or as a batch of many entries. */
  async #write(): Promise<void> {
    const session = pick(this.#next, this.#open());
    if (!session) return;
    this.#did(`write ${session.id}`);
    const writers = 1 + Math.floor(this.#next() * 4);
    await Promise.all(
      Array.from({ length: writers }, () => (this.#next() < 0.3 ? this.#batch(session) : this.#log(session))),
    );
  }

  #entry(): string {
    return `entry ${++this.#count} ${"x".repeat(Math.floor(this.#next() * 60))}`;
  }

  async #log(session: Known): Promise<void> {
    const text = this.#entry();
    session.possible.add(text);
    const child = this.#repo.start(["session", "log", "decision", text, "-s", session.id]);
    const { isKilled, code, stderr } = await this.#killer.strike(child, "log", 0.6);
    if (isKilled || this.#isElsewhere(session, stderr)) return;
    if (code !== 0) throw new Broken(`an entry of ${session.id} could not be logged`, { code, stderr });
    session.acknowledged.push(text);
  }

  async #batch(session: Known): Promise<void> {
    const texts = Array.from({ length: 2 + Math.floor(this.#next() * 20) }, () => this.#entry());
    for (const text of texts) session.possible.add(text);
    const child = this.#repo.start(["session", "log", "--batch", "--json", "-s", session.id]);
    child.stdin!.on("error", () => undefined);
    child.stdin!.end(texts.map((text) => `${JSON.stringify({ kind: "decision", text })}\n`).join(""));
    const { isKilled, code, stdout, stderr } = await this.#killer.strike(child, "batch", 0.6);
    // Each line that it printed whole acknowledges one entry, in their order; a refusal is a line as well.
    const acknowledged = stdout
      .split("\n")
      .slice(0, -1)
      .filter((line) => !line.startsWith('{"error"')).length;
    session.acknowledged.push(...texts.slice(0, acknowledged));
    if (isKilled || this.#isElsewhere(session, stderr)) return;
    if (code !== 0) throw new Broken(`a batch for ${session.id} failed`, { code, stderr });
  }

  /** Git takes the files away and brings them back, sometimes while somebody writes. */
  async #git(): Promise<void> {
    const [name, act] = pick(this.#next, Object.entries(gitActs));
    const isRace = this.#next() < 0.3;
    this.#did(isRace ? `${name} while writing` : name);
    this.#noteCommitted();
    const writing = isRace ? this.#write() : Promise.resolve();
    if (isRace) await sleep(this.#next() * 100);
    await act(this.#repo, this.#next, () => this.#read());
    await writing;
  }

  /** A person's editor: what it read, with a note at the end, saved by renaming or in place, while others write. */
  async #edit(): Promise<void> {
    const session = pick(this.#next, this.#open());
    if (!session) return;
    const isRenamed = this.#next() < 0.7;
    this.#did(`edit ${session.id} ${isRenamed ? "by renaming" : "in place"}`);
    const writing = this.#write();
    await sleep(this.#next() * 100);
    const path = this.#repo.path(session.id);
    const text = attempt(() => readFileSync(path, "utf8"));
    if (text !== undefined) {
      await sleep(this.#next() * 100);
      const edited = `${text}\nA person's note ${++this.#count}.\n`;
      attempt(() => {
        writeFileSync(isRenamed ? `${path}.swp` : path, edited);
        if (isRenamed) renameSync(`${path}.swp`, path);
      });
    }
    await writing;
  }

  async #read(): Promise<void> {
    const args = pick(this.#next, readers);
    this.#did(args.join(" "));
    const child = this.#repo.start(args);
    const { isKilled, code, stderr } = await this.#killer.strike(child, args.join(" "), 0.5);
    if (!isKilled && code !== 0 && args[0] !== "doctor" && args[1] !== "check")
      throw new Broken(`clew ${args.join(" ")} failed`, { code, stderr });
  }

  async #end(): Promise<void> {
    const session = pick(this.#next, this.#open());
    if (!session) return;
    const verb = this.#next() < 0.5 ? "end" : "pause";
    this.#did(`${verb} ${session.id}`);
    const child = this.#repo.start(["session", verb, session.id]);
    const { isKilled, code, stderr } = await this.#killer.strike(child, verb, 0.4);
    if (verb === "end") session.isEnded = true;
    else if (!isKilled && code !== 0 && !this.#isElsewhere(session, stderr))
      throw new Broken(`${session.id} could not be paused`, { code, stderr });
  }

  /** All that was acknowledged is shown, once each; of an ended session, at least by some branch. */
  async #check(): Promise<void> {
    this.#did("check");
    for (const session of this.#sessions) {
      const { code, stdout, stderr } = await this.#repo.run(["session", "show", session.id, "--json"]);
      const shown = code === 0 ? textsOf(JSON.parse(stdout) as SessionDocument) : [];
      const lost = session.acknowledged.filter((text) => !shown.includes(text));
      const twice = shown.filter((text, at) => text.startsWith("entry ") && shown.indexOf(text) !== at);
      const strange = shown.filter((text) => text.startsWith("entry ") && !session.possible.has(text));
      if (twice.length > 0 || strange.length > 0) throw new Broken(`${session.id} shows`, { twice, strange });
      if (lost.length === 0 && code === 0) continue;
      this.#noteCommitted();
      if ((session.isEnded && session.wasCommitted) || this.#isElsewhere(session, stderr)) continue;
      throw new Broken(`acknowledged entries of ${session.id} are gone`, { code, stderr, lost, shown: shown.length });
    }
  }

  /** Which ended sessions a branch holds now. */
  #noteCommitted(): void {
    for (const session of this.#sessions) session.wasCommitted ||= session.isEnded && this.#isOnBranch(session);
  }

  /** A session that stands on another branch, which holds all of it, is not this branch's: nothing is lost. */
  #isElsewhere(session: Known, stderr: string): boolean {
    return stderr.includes("is not on this branch") && this.#isOnBranch(session);
  }

  #isOnBranch({ id, acknowledged }: Known): boolean {
    const path = `.clew/sessions/${id}/session.md`;
    const commits = this.#repo.git("rev-list", "--branches", "--remotes", "--", path).trim().split("\n");
    return commits.some((commit) => {
      const text = attempt(() => this.#repo.git("show", `${commit}:${path}`)) ?? "";
      return acknowledged.every((entry) => text.includes(entry));
    });
  }
}
