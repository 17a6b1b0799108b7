import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { ClewError } from "../../contract/errors.ts";
import type { CliContext } from "../context.ts";

/** Where the demo plays: a throw-away git repository, and the real program called in it as a person would. */
export class Stage {
  readonly root: string;
  readonly kept: boolean;
  private readonly context: CliContext;

  constructor(context: CliContext, keep: string | undefined) {
    this.context = context;
    this.kept = keep !== undefined;
    this.root = keep === undefined ? mkdtempSync(join(tmpdir(), "clew-demo-")) : newFolder(resolve(context.cwd, keep));
    const git = (...args: string[]): void => void execFileSync("git", ["-C", this.root, ...args], { stdio: "ignore" });
    git("init", "-q");
    git("-c", "user.name=Demo", "-c", "user.email=demo@example.com", "commit", "-q", "--allow-empty", "-m", "Begin");
  }

  /** Runs a command, shows it and what it prints, and returns that. */
  async clew(...args: string[]): Promise<string> {
    const { colors } = this.context;
    await this.context.write(`${colors.dim("$")} clew ${args.map(quoted).join(" ")}\n`);
    const output = this.quietly(...args);
    await this.context.write(output.replace(/^(?=.)/gm, "  "));
    return output.trim();
  }

  /** Runs a command and shows nothing. */
  quietly(...args: string[]): string {
    return this.run(args, "");
  }

  run(args: string[], input: string): string {
    const { status, stdout, stderr } = spawnSync(process.execPath, [process.argv[1]!, ...args], {
      cwd: this.root,
      input,
      encoding: "utf8",
      env: this.environment(),
    });
    if (status !== 0)
      throw new ClewError(
        "internal",
        `the demo stopped at clew ${args.join(" ")}: ${stderr}`,
        "clew doctor may tell more",
      );
    return stdout;
  }

  /** Starts a command and kills it, as a power cut would, once it has printed this. */
  async crash(args: string[], when: string): Promise<void> {
    const { colors } = this.context;
    await this.context.write(`${colors.dim("$")} clew ${args.map(quoted).join(" ")}\n`);
    const child = spawn(process.execPath, [process.argv[1]!, ...args], { cwd: this.root, env: this.environment() });
    let printed = "";
    child.stdout.on("data", (chunk: Buffer) => {
      printed += chunk.toString("utf8");
      if (printed.includes(when)) child.kill("SIGKILL");
    });
    await new Promise((done) => child.once("close", done));
    await this.context.write(`${printed.replace(/^(?=.)/gm, "  ")}  ${colors.red("Killed")}\n`);
  }

  /** Puts a file into the repository, as a person would with an editor. */
  write(path: string, text: string): void {
    const file = join(this.root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  say(text: string): Promise<void> {
    return this.context.write(`\n${this.context.colors.bold(text)}\n`);
  }

  tidy(): void {
    if (!this.kept) rmSync(this.root, { recursive: true, force: true });
  }

  private environment(): NodeJS.ProcessEnv {
    const { CLEW_SESSION: _, ...env } = this.context.env;
    const colored = this.context.colors.enabled ? { FORCE_COLOR: "1" } : { NO_COLOR: "1" };
    return { ...env, ...colored, XDG_CONFIG_HOME: join(this.root, ".no-config") };
  }
}

function newFolder(path: string): string {
  if (existsSync(path) && readdirSync(path).length > 0) {
    throw new ClewError("invalid_input", `${path} is not empty`, "give a folder that does not exist yet");
  }
  mkdirSync(path, { recursive: true });
  return path;
}

function quoted(word: string): string {
  return /^[\w@.,:/=+-]+$/.test(word) ? word : `"${word.replace(/(["\\$`])/g, "\\$1")}"`;
}
