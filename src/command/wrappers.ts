import { optionValues, startedByGit } from "./git-starts.ts";
import { startedByOptions } from "./option-commands.ts";
import { isStdin, noCommands, readTexts, type Input, type Started } from "./started.ts";
import { anyWords, isKnown, type ShellWord } from "./words.ts";

const noOperand =
  "env command builtin exec nohup nice ionice setsid stdbuf time sudo doas strace ltrace caffeinate eatmydata proxychains " +
  "xvfb-run dbus-run-session systemd-run unshare nsenter watch entr parallel rlwrap busybox toybox coproc noglob nocorrect " +
  "and or not begin - numactl firejail bwrap gdb valgrind torsocks unbuffer npx bunx uvx fakeroot proot pkexec hyperfine " +
  "concurrently dbus-launch chpst sg newgrp";
const oneOperand = "timeout gtimeout chroot flock taskset chrt script setarch setpriv ssh su runuser";

/** Before a command of theirs stand words of their own, and it cannot be told how many. */
const manyOperands =
  "docker podman nerdctl kubectl oc lxc lxc-attach machinectl tmux screen nix flatpak-spawn toolbox distrobox vagrant gnome-terminal konsole xterm " +
  "alacritty kitty foot start-stop-daemon socat just cargo perf pee sops ansible salt-call dvtm byobu tmate i3-msg swaymsg watchexec rush gargs husky";

/** Programs that start the program that their words name, and how many operands of their own come first. */
const wrappers = new Map<string, number>([
  ...noOperand.split(" ").map((name) => [name, 0] as const),
  ...oneOperand.split(" ").map((name) => [name, 1] as const),
  ...manyOperands.split(" ").map((name) => [name, 20] as const),
]);

/** Programs that start others by a word of their own; the scripts of packages are no programs. */
const runners = new Map<string, readonly string[]>([
  ...["npm", "pnpm", "yarn", "bun"].map((name) => [name, ["exec", "x", "dlx"]] as const),
  ...["poetry", "uv", "bundle", "pdm", "hatch", "rye", "pipenv", "mise", "direnv", "dotenvx"].map(
    (name) => [name, ["run", "exec", "x"]] as const,
  ),
]);

const shells = new Set(
  "sh bash dash zsh ksh mksh ash fish rbash hush csh tcsh yash osh xonsh nu elvish pwsh powershell".split(" "),
);

/** What a word names as a program: `/usr/bin/git` and zsh's `=git` are git. */
export function programOf(word: string): string {
  const name = word.slice(word.lastIndexOf("/") + 1);
  return name.startsWith("=") ? name.slice(1) : name;
}

/** What a command starts by its words alone; in doubt more. `input` is what it reads, where the text says so. */
export function startedBy(given: readonly ShellWord[], input: Input): Started {
  const [first, ...rest] = given;
  if (!isKnown(first)) return { commands: [], texts: [] };
  const program = programOf(first);
  if (program === "eval") return { commands: [], texts: [joined(rest)] };
  if (shells.has(program)) return byShell(rest, input);
  if (program === "source" || program === ".") return bySource(rest, input);
  if (program === "parallel") return byParallel(rest, input);
  if (program === "xargs") return byXargs(rest);
  if (program === "find" || program === "fd") return { commands: execsIn(rest), texts: [] };
  if (program === "git") return startedByGit(rest);
  // Its parts stand in a folder of their own as `git-push`.
  if (program.startsWith("git-")) return { commands: [["git", program.slice(4), ...rest]], texts: [] };
  if (program === "trap" || program === "alias" || program === "bind" || /^comp(?:lete|gen)$/.test(program)) {
    return {
      commands: [],
      texts: rest.flatMap((word) => (isKnown(word) ? word.replace(/^(?:\w[\w.-]*=|"[^"]*":)/, "") : [])),
    };
  }
  const starting = runners.get(program);
  if (starting) return byRunner(rest, starting);
  const operands = wrappers.get(program);
  const { commands, texts } = operands === undefined ? noCommands : byWrapper(rest, operands);
  const more = startedByOptions(program, rest, input);
  // A shell on another machine, or of another user, reads what it is given as well.
  const read = remoteShells.has(program) ? readTexts(input) : [];
  return { commands: [...commands, ...more.commands], texts: [...texts, ...more.texts, ...read] };
}

const remoteShells = new Set(["ssh", "su", "runuser", "sg", "newgrp"]);

/** A script that is read from stdin is a text. */
function bySource([script]: readonly ShellWord[], input: Input): Started {
  if (!isKnown(script)) return { commands: [], texts: [undefined] };
  return { commands: [], texts: isStdin(script) ? readTexts(input) : [] };
}

/** `parallel git ::: push`: each argument is put behind the command, or is one; without any, what it reads is. */
function byParallel(rest: readonly ShellWord[], input: Input): Started {
  const at = rest.findIndex((word) => isKnown(word) && word.startsWith(":::"));
  const { commands, texts } = byWrapper(at < 0 ? rest : rest.slice(0, at), 0);
  const given = at < 0 ? [] : rest.slice(at + 1);
  const lines = readTexts(input).flatMap((text) => (text === undefined ? [undefined] : text.split("\n")));
  const whole = [...given.map((word) => (isKnown(word) ? word : undefined)), ...lines];
  return {
    commands: commands.map((command) => [...command, anyWords]),
    texts: [...texts, ...(commands.length === 0 ? whole : [])],
  };
}

/** `sh -c TEXT`, also among other options; without a script, what it reads is its text. */
function byShell(rest: readonly ShellWord[], input: Input): Started {
  const isOption = (word: ShellWord): boolean => isKnown(word) && /^[-+]/.test(word);
  const at = rest.findIndex((word) => isKnown(word) && /^(?:-[A-Za-z]*c|--command|--init-command|-Command)/.test(word));
  const operands = rest.slice(at + 1).filter((word) => !isOption(word));
  const glued = rest.flatMap((word) => (isKnown(word) && /^--\w+=/.test(word) ? [word.replace(/^--[\w-]+=/, "")] : []));
  if (at >= 0) {
    // Which of them is the text depends on which options take a word.
    const isHidden = glued.length === 0 && !isKnown(operands[0]);
    return { commands: [], texts: [...operands.filter(isKnown), ...glued, ...(isHidden ? [undefined] : [])] };
  }
  const [script] = operands;
  if (script !== undefined && !isKnown(script)) return { commands: [], texts: [undefined] };
  const isReading = script === undefined || rest.includes("-s") || isStdin(script);
  if (!isReading) return { commands: [], texts: [] };
  return { commands: [], texts: readTexts(input) };
}

/**
 * The words behind the options of a program that starts another one. Whether an option takes the word behind it is not known, so that
 * the command may begin at each word until there is no doubt. A word with spaces in it may be a text for a shell.
 */
function byWrapper(rest: readonly ShellWord[], operands: number): Started {
  const commands: ShellWord[][] = [];
  let left = operands;
  let isAfterOption = false;
  for (const [at, word] of rest.entries()) {
    if (!isKnown(word)) {
      commands.push(rest.slice(at));
      continue;
    }
    if (/^[-+]/.test(word) && word !== "-") {
      isAfterOption = !word.includes("=") && word !== "--";
      continue;
    }
    if (/^\w+=/.test(word)) continue;
    commands.push(rest.slice(at));
    if (!isAfterOption && left-- <= 0) break;
    isAfterOption = false;
  }
  const texts = rest.flatMap((word) =>
    isKnown(word) && /\s/.test(word)
      ? [word.replace(/^(?:-{1,2}[\w-]+=?|[A-Z]+:)/, ""), word.replace(/^-[A-Za-z]/, "")]
      : [],
  );
  return { commands, texts };
}

function byRunner(rest: readonly ShellWord[], starting: readonly string[]): Started {
  const at = rest.findIndex((word) => isKnown(word) && starting.includes(word));
  return at < 0 ? { commands: [], texts: [] } : byWrapper(rest.slice(at + 1), 0);
}

/** What `xargs` reads is added to the command, or put into it. */
function byXargs(rest: readonly ShellWord[]): Started {
  const { commands, texts } = byWrapper(rest, 0);
  const marks = ["{}", ...optionValues(rest, /^(?:-I|-i|--replace)$/).flatMap((mark) => mark || [])];
  const filled = commands.map((command) =>
    command.map((word) => (isKnown(word) && marks.some((mark) => word.includes(mark)) ? anyWords : word)),
  );
  return { commands: filled.map((command) => [...command, anyWords]), texts };
}

const execOptions = new Set("-exec -execdir -ok -okdir -x -X --exec --exec-batch".split(" "));

function execsIn(rest: readonly ShellWord[]): ShellWord[][] {
  return rest.flatMap((word, at) => {
    if (!isKnown(word) || !execOptions.has(word)) return [];
    const length = rest.slice(at + 1).findIndex((each) => each === ";" || each === "+");
    const command = rest.slice(at + 1, length < 0 ? undefined : at + 1 + length);
    return [command.map((each) => (isKnown(each) && each.includes("{}") ? anyWords : each))];
  });
}

/** `eval` joins its words. */
function joined(rest: readonly ShellWord[]): string | undefined {
  return rest.every(isKnown) ? rest.join(" ") : undefined;
}
