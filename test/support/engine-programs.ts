import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { EngineFinding, ListedEngine } from "../../src/contract/api/engine.ts";
import { Repo } from "./repo.ts";

/** A repository with a PATH and a home of its own, so that nothing of the machine decides which engines there are. */
export class EngineRepo extends Repo {
  readonly programs = join(this.root, ".git/programs");
  readonly homeFolder = join(this.root, ".git/home");

  constructor() {
    super();
    mkdirSync(this.programs);
    mkdirSync(this.homeFolder);
    Object.assign(this.env, { PATH: `${this.programs}:/usr/bin:/bin`, HOME: this.homeFolder });
  }

  /** Puts a stand-in for an engine's program on the PATH. */
  install(name: string, script: string): string {
    const file = join(this.programs, name);
    writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return file;
  }

  /** A file below the home folder. */
  own(path: string, text: string): void {
    const file = join(this.homeFolder, path);
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, text);
  }

  async engine(name: string): Promise<ListedEngine> {
    const { engines } = await this.json<{ engines: ListedEngine[] }>("engine", "list");
    return engines.find((each) => each.name === name)!;
  }

  /** What `clew engine doctor` found, with its exit code. */
  async examine(...words: string[]): Promise<{ code: number | null; usable: boolean; findings: EngineFinding[] }> {
    const { code, stdout } = await this.run(["engine", "doctor", ...words, "--json"]);
    return { code, ...(JSON.parse(stdout) as { usable: boolean; findings: EngineFinding[] }) };
  }
}
