/** What decides what a command does: a script of package.json, or files. */
export interface CommandSources {
  /** Names of scripts, with those that run before and after them. */
  scripts: string[];
  files: string[];
}

const packageManagers = new Set(["npm", "pnpm", "yarn", "bun"]);
const runWords = new Set(["run", "run-script", "rum", "urn"]);
/** Words of npm that stand for a script. */
const shortScripts: Record<string, string> = { t: "test", tst: "test", test: "test", start: "start" };
const makefiles = ["GNUmakefile", "makefile", "Makefile"];
/** Settings by which a package manager runs a script otherwise, such as npm's `script-shell`. */
const managerFiles = [".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs", "pnpm-workspace.yaml", "bunfig.toml"];
/** What runs the file that is named first. */
const interpreters = /^(?:(?:ba|da|z|k)?sh|node|deno|bun|tsx|ts-node|python[\d.]*|ruby|perl|php)$/;
const elsewhere = /^(?:--?(?:prefix|C|dir|cwd|w|ws|workspaces?|F|filter|r|recursive)(?:=.*)?|workspaces?)$/;

/**
 * An agent that is asked to run a command could change what the command does. This is what to compare with how it was when the run
 * began. What the command reads beyond that (tests, settings of a test runner) is for the gate's `keeps`.
 */
export function commandSources(words: readonly string[]): CommandSources {
  const [program = "", ...args] = words;
  if (packageManagers.has(program)) {
    // In another folder, or in several, any package.json may be meant.
    const isElsewhere = args.some((word) => elsewhere.test(word));
    const files = isElsewhere ? [...managerFiles, "**/package.json"] : managerFiles;
    return { scripts: isElsewhere ? [] : scriptsOf(program, args), files };
  }
  if (program === "make") return { scripts: [], files: [...makefiles, ...args.filter(isPlain)] };
  const script = interpreters.test(program) ? args.find(isPlain) : undefined;
  return { scripts: [], files: [...words.filter(isFile), ...(script === undefined ? [] : [script])] };
}

function scriptsOf(program: string, args: readonly string[]): string[] {
  const plain = args.filter((word) => !word.startsWith("-"));
  const [first = "", second = ""] = plain;
  const short = program === "npm" ? shortScripts[first] : first;
  const script = runWords.has(first) ? second : (short ?? "");
  return script === "" ? [] : [script, `pre${script}`, `post${script}`];
}

function isPlain(word: string): boolean {
  return !word.startsWith("-") && !word.startsWith("/");
}

/** A word that names a file of the repository, as far as its form tells. */
function isFile(word: string): boolean {
  return isPlain(word) && (word.includes("/") || /\.(?:[cm]?[jt]s|sh|py|rb|pl)$/.test(word));
}

/** The first of these scripts that is another one now, in words; undefined when none is. */
export function changedScript(
  scripts: readonly string[],
  before: string | undefined,
  now: string | undefined,
): string | undefined {
  const [old, current] = [scriptsIn(before), scriptsIn(now)];
  const changed = scripts.find((name) => old[name] !== current[name]);
  if (changed === undefined) return undefined;
  const words = (value: unknown): string => (value === undefined ? "nothing" : JSON.stringify(value));
  return `the script ${changed} of package.json was ${words(old[changed])} when the run began, and is ${words(current[changed])} now`;
}

function scriptsIn(packageJson: string | undefined): Record<string, unknown> {
  try {
    const { scripts } = JSON.parse((packageJson ?? "{}").replace(/^\uFEFF/, "")) as { scripts?: unknown };
    return typeof scripts === "object" && scripts !== null ? { ...scripts } : {};
  } catch {
    // What cannot be read is one text that differs from any other.
    return { "": packageJson };
  }
}
