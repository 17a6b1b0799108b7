import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Bead } from "../../src/contract/bead.ts";
import { beadFile, placeBeads } from "../support/bead-file.ts";
import { ProgramRepo } from "../support/bead-programs.ts";
import { random } from "../support/random.ts";
import { Repo } from "../support/repo.ts";
import { attempt } from "./git-acts.ts";
import { Killer } from "./kill.ts";
import { Broken, pick, type Lane } from "./lane.ts";

/** Lines of others, in letters that Clew itself would not choose. */
const foreign = [
  '{ "title" : "Odd" , "id":"odd-1", "weird": [1,  2.0, 1e2], "status":"open" }',
  '{"_type":"memory","id":"m-1","text":"\\u0041"}',
  '{"id":"odd-2","title":"Escaped \\/ path","labels":["b","a"],"status":"closed"}',
  '{"id":"broken-1","title":',
];

/** What is known of one bead: its notes by the program's own word, and those of commands that were killed. */
interface Known {
  id: string;
  title: string;
  notes: string | undefined;
  possible: Set<string>;
}

/**
 * Beads that are made and changed by several at once, killed at random: in the file, while an editor saves it, or in a
 * database behind a slow stand-in. Nothing acknowledged is lost, nothing is there twice, and no line of others is changed.
 */
export class BeadLane implements Lane {
  readonly name: string;
  readonly #next: () => number;
  readonly #killer: Killer;
  readonly #repo: Repo;
  readonly #program: ProgramRepo | undefined;
  readonly #beads = new Map<string, Known>();
  /** Titles of beads whose making was killed. */
  readonly #possible = new Set<string>();
  #count = 0;
  #person = '{"id":"person-1","title":"A person\'s 0"}';
  /** An editor and Clew each look at the file and then rename theirs over it: what falls in between is lost to one of them. */
  #mischances = 0;

  constructor(seed: number) {
    this.#next = random(seed);
    this.#killer = new Killer(this.#next);
    this.#program = this.#next() < 0.5 ? new ProgramRepo("br") : undefined;
    this.#repo = this.#program ?? new Repo();
    this.name = `beads ${seed} ${this.#program ? "in br" : "in the file"}`;
    if (this.#program) this.#program.store({ id: "odd-1", title: "Odd", weird: [1] });
    else placeBeads(this.#repo, `${[...foreign, this.#person].join("\n")}\n`);
  }

  get root(): string {
    return this.#repo.root;
  }

  get kills(): number {
    return this.#killer.kills;
  }

  async act(): Promise<void> {
    const roll = this.#next();
    this.#program?.behave({ delayMs: Math.floor(this.#next() * 200) });
    if (roll < 0.1) await this.#read();
    else if (roll < 0.25 && !this.#program) await this.#edit();
    else await this.#write();
    if (this.#next() < 0.2) await this.#check();
  }

  async finish(): Promise<void> {
    await this.#create(0);
    await this.#check();
    const left = readdirSync(dirname(beadFile(this.#repo))).filter((name) => name.endsWith(".new"));
    if (left.length > 0) throw new Broken("what killed writers left is still there", left);
  }

  [Symbol.dispose](): void {
    this.#repo[Symbol.dispose]();
  }

  /** One to four writers at the same moment, each at a bead of its own. */
  async #write(): Promise<void> {
    const free = [...this.#beads.values()];
    const works: Promise<void>[] = [];
    for (let left = 1 + Math.floor(this.#next() * 4); left > 0; left--) {
      const [bead] = free.splice(Math.floor(this.#next() * free.length), 1);
      works.push(bead === undefined || this.#next() < 0.3 ? this.#create(0.5) : this.#change(bead));
    }
    await Promise.all(works);
  }

  async #create(share: number): Promise<void> {
    const title = `Bead ${++this.#count}`;
    this.#possible.add(title);
    const child = this.#repo.start(["bead", "create", title]);
    const { isKilled, code, stdout, stderr } = await this.#killer.strike(child, "create", share);
    if (isKilled) return;
    if (code !== 0) throw new Broken("a bead could not be made", { code, stderr });
    this.#possible.delete(title);
    const id = stdout.trim();
    this.#beads.set(id, { id, title, notes: undefined, possible: new Set() });
  }

  async #change(bead: Known): Promise<void> {
    const notes = `notes ${++this.#count} ${"x".repeat(Math.floor(this.#next() * 60))}`;
    bead.possible.add(notes);
    const child = this.#repo.start(["bead", "update", bead.id, "--notes", notes]);
    const { isKilled, code, stderr } = await this.#killer.strike(child, "update", 0.5);
    if (isKilled) return;
    if (code !== 0) throw new Broken(`${bead.id} could not be changed`, { code, stderr });
    bead.notes = notes;
    bead.possible.clear();
  }

  async #read(): Promise<void> {
    const args = pick(this.#next, [
      ["bead", "list"],
      ["bead", "ready"],
      ["doctor", "--repair"],
    ]);
    const { isKilled, code, stderr } = await this.#killer.strike(this.#repo.start(args), args.join(" "), 0.3);
    // The damaged line is a problem to the doctor.
    if (!isKilled && code !== 0 && args[0] !== "doctor") throw new Broken(`${args.join(" ")} failed`, { code, stderr });
  }

  /** A person's editor changes their own line, while others write. It does not save over what it has not read. */
  async #edit(): Promise<void> {
    const writing = this.#write();
    await sleep(this.#next() * 300);
    const isRenamed = this.#next() < 0.7;
    const edited = `{"id":"person-1","title":"A person's ${++this.#count}"}`;
    const file = beadFile(this.#repo);
    for (let isSaved = false; !isSaved;) {
      isSaved = attempt(() => save(file, [this.#person, edited], isRenamed)) ?? false;
    }
    this.#person = edited;
    await writing;
  }

  async #check(): Promise<void> {
    const { code, stdout, stderr } = await this.#repo.run(["bead", "list", "--all", "--json"]);
    if (code !== 0) throw new Broken("the beads cannot be listed", { code, stderr });
    const shown = (JSON.parse(stdout) as { beads: Bead[] }).beads;
    const titles = shown.map(({ title }) => title);
    const twice = titles.filter((title, at) => titles.indexOf(title) !== at);
    const known = new Set([...this.#beads.values()].map(({ title }) => title));
    const strange = titles.filter((each) => each.startsWith("Bead ") && !known.has(each) && !this.#possible.has(each));
    if (twice.length > 0 || strange.length > 0) throw new Broken("beads that nobody made", { twice, strange });
    const byId = new Map(shown.map((bead) => [bead.id, bead]));
    for (const bead of this.#beads.values()) this.#compare(bead, byId.get(bead.id));
    this.#compareForeign();
  }

  #compare(bead: Known, shown: Bead | undefined): void {
    const isRight = shown?.title === bead.title && (shown.notes === bead.notes || bead.possible.has(shown.notes ?? ""));
    if (!isRight)
      this.#mischance("acknowledged work is gone", { bead: { ...bead, possible: [...bead.possible] }, shown });
    if (!shown) this.#beads.delete(bead.id);
    else bead.notes = shown.notes;
    bead.possible.clear();
  }

  #compareForeign(): void {
    if (this.#program) {
      const { "odd-1": odd } = this.#program.stored();
      if (JSON.stringify(odd) !== '{"id":"odd-1","title":"Odd","weird":[1]}') throw new Broken("another's bead", odd);
      return;
    }
    const lines = readFileSync(beadFile(this.#repo), "utf8").split("\n");
    if (JSON.stringify(lines.slice(0, foreign.length)) !== JSON.stringify(foreign))
      throw new Broken("lines of others were changed", lines.slice(0, foreign.length));
    const persons = lines.filter((line) => line.includes('"person-1"'));
    if (persons.length === 1 && persons[0] === this.#person) return;
    this.#mischance("what an editor saved is gone", persons);
    this.#person = persons[0]!;
  }

  /** Only an editor beside Clew excuses it, and not often. */
  #mischance(what: string, seen: unknown): void {
    if (this.#program || ++this.#mischances > 2) throw new Broken(what, seen);
  }
}

/** False when the file was changed while it was edited: then the editor reads it again. */
function save(file: string, [before, after]: [string, string], isRenamed: boolean): boolean {
  const stamp = (): string => JSON.stringify([statSync(file).ino, statSync(file).mtimeMs]);
  const read = stamp();
  const text = readFileSync(file, "utf8").replace(before, () => after);
  if (isRenamed) writeFileSync(`${file}.swp`, text);
  if (stamp() !== read) return false;
  if (isRenamed) renameSync(`${file}.swp`, file);
  else writeFileSync(file, text);
  return true;
}
