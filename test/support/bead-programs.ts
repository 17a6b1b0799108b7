import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Bead } from "../../src/contract/bead.ts";
import { beadFile, placeBeads } from "./bead-file.ts";
import { Repo, type Outcome, type RunOptions } from "./repo.ts";
import { removeFolder } from "./remove-folder.ts";

const standIn = resolve(import.meta.dirname, "stand-in-beads.mjs");

type Fault =
  | "freeze"
  | "fail"
  | "garbage"
  | "half"
  /** Among the beads stands what is none. */
  | "odd"
  | "hang"
  | "lost"
  | "no database"
  /** Leaves a process that holds its pipes. */
  | "server"
  /** Kills who called it, with all done. */
  | "kill";

export interface Behaviour {
  envelope?: "bare" | "data" | "items" | "issues" | "pretty";
  errors?: "stderr" | "stdout" | "plain";
  version?: string;
  where?: string;
  /** Says yes, and does nothing. */
  idle?: boolean;
  /** How long it takes over a call, half of it before what it does and half after. */
  delayMs?: number;
  /** By command. */
  faults?: Record<string, Fault>;
}

interface Call {
  name: string;
  args: string[];
  stdin: string;
  cwd: string;
  env: Record<string, string>;
}

/** A repository whose beads belong to a database, with or without the program that keeps it. */
export class ProgramRepo extends Repo {
  readonly #programs = realpathSync(mkdtempSync(join(tmpdir(), "clew programs ")));
  readonly #name: "bd" | "br";

  constructor(
    name: "bd" | "br",
    { isInstalled = true, behaviour = {} }: { isInstalled?: boolean; behaviour?: Behaviour } = {},
  ) {
    super();
    this.#name = name;
    if (isInstalled) {
      const program = join(this.#programs, name);
      writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${standIn}" ${name} "$@"\n`);
      chmodSync(program, 0o755);
    }
    if (name === "bd") {
      placeBeads(this, '{"database":"dolt","backend":"dolt","dolt_mode":"embedded"}', "metadata.json");
      mkdirSync(beadFile(this, "embeddeddolt"));
    } else placeBeads(this, "", "beads.db");
    this.behave(behaviour);
  }

  behave(behaviour: Behaviour): void {
    placeBeads(this, JSON.stringify(behaviour), "behaviour.json");
  }

  override start(args: string[], options: RunOptions = {}): ReturnType<Repo["start"]> {
    const env = { PATH: `${this.#programs}:/usr/bin:/bin`, BEADS_ACTOR: "me", ...options.env };
    return super.start(args, { ...options, env });
  }

  override run(args: string[], options: RunOptions = {}): Promise<Outcome> {
    return super.run(args, options);
  }

  override [Symbol.dispose](): void {
    removeFolder(this.#programs);
    super[Symbol.dispose]();
  }

  calls(): Call[] {
    const file = beadFile(this, "calls.jsonl");
    if (!existsSync(file)) return [];
    return readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Call);
  }

  /** The words of all calls that change something. */
  writes(): string[][] {
    return this.calls()
      .map(({ args }) => args)
      .filter(([word]) => !["list", "show", "version", "where"].includes(word!));
  }

  /** What the database has. */
  stored(): Record<string, Bead> {
    return JSON.parse(readFileSync(this.#database, "utf8") || "{}") as Record<string, Bead>;
  }

  store(...beads: Bead[]): void {
    writeFileSync(this.#database, JSON.stringify(Object.fromEntries(beads.map((bead) => [bead.id, bead]))));
  }

  get #database(): string {
    return beadFile(this, this.#name === "bd" ? "embeddeddolt/state.json" : "beads.db");
  }
}
