import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { removeFolder } from "../remove-folder.ts";

/** What a `/bin/sh` may be, as far as this machine has it; each program once, whatever its names are. */
export const shells = ["sh", "dash", "bash", "busybox"]
  .map((name) => ({ name, path: programPath(name) }))
  .filter(({ path }, at, all) => path !== undefined && all.findIndex((each) => each.path === path) === at)
  .map(({ name, path }) => ({ name, words: name === "busybox" ? [path!, "sh"] : [path!] }));

export interface Outcome {
  code: number | null;
  output: string;
  errors: string;
  /** One line for each start of a tool: its name, its arguments, and what it saw. */
  calls: string[];
}

/** A folder laid out as some project, and the only tools that its scripts can find. `using` removes both. */
export class Project {
  readonly #place = mkdtempSync(join(tmpdir(), "clew builtins "));
  readonly folder: string;
  readonly #bin = join(this.#place, "bin");
  readonly #calls = join(this.#place, "calls");

  constructor(files: Record<string, string>, tools: string[] = [], folderName = "a project") {
    this.folder = join(this.#place, folderName);
    mkdirSync(this.folder);
    mkdirSync(this.#bin);
    for (const [path, text] of Object.entries(files)) this.write(path, text);
    for (const name of ["sh", "cat", "grep", "find"]) symlinkSync(programPath(name)!, join(this.#bin, name));
    for (const name of tools) this.#addTool(name);
  }

  [Symbol.dispose](): void {
    removeFolder(this.#place);
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), text);
  }

  names(): string[] {
    return readdirSync(this.folder).sort();
  }

  run(shell: string[], script: string, env: Record<string, string> = {}): Outcome {
    const file = join(this.#place, "script");
    writeFileSync(file, script);
    writeFileSync(this.#calls, "");
    const child = spawnSync(shell[0]!, [...shell.slice(1), file], {
      cwd: this.folder,
      env: { PATH: this.#bin, CALLS: this.#calls, ...env },
      input: "an answer\n",
      encoding: "utf8",
    });
    const calls = readFileSync(this.#calls, "utf8").split("\n").slice(0, -1);
    return { code: child.status, output: child.stdout, errors: child.stderr, calls };
  }

  /** `node` is the real one. The others note how they were called, print to both streams, and fail as `FAIL` says. */
  #addTool(name: string): void {
    const path = join(this.#bin, name);
    if (name === "node") return symlinkSync(process.execPath, path);
    writeFileSync(path, toolText(name));
    chmodSync(path, 0o755);
  }
}

/** The text of a tool; wrappers such as `mvnw` are the same program inside the project. */
export function toolText(name: string): string {
  return `#!/bin/sh
${name === "bun" ? `[ "$1" != -e ] || exec '${process.execPath}' "$@"` : ""}
if read -r line; then waited=' waits'; fi
printf '%s\\n' "${name} $*\${CI:+ CI=$CI}$waited" >>"$CALLS"
echo "output of ${name}"
echo "errors of ${name}" >&2
case " $FAIL " in *" ${name}="*) rest=\${FAIL##*${name}=}; exit "\${rest%% *}" ;; esac
`;
}

function programPath(name: string): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(":");
  const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  return found === undefined ? undefined : realpathSync(found);
}
