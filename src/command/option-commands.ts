import { optionValues } from "./git-starts.ts";
import { isKnown, type ShellWord } from "./words.ts";
import { isStdin, noCommands, readTexts, type Input, type Started } from "./started.ts";

const editor = /^(?:-c|--cmd|-e|--eval|-S)$/;

/** Options of programs that take a command. */
const commandOptions: Record<string, RegExp> = {
  tar: /^(?:-I|-F|--(?:to-command|checkpoint-action|use-compress-program|info-script|new-volume-script|rsh-command|rmt-command))$/,
  split: /^--filter$/,
  sort: /^--compress-program$/,
  rsync: /^(?:-e|--rsh|--rsync-path)$/,
  scp: /^-[So]$/,
  sftp: /^-[So]$/,
  ssh: /^-o$/,
  nc: /^-[ec]$/,
  ncat: /^(?:-[ec]|--exec|--sh-exec)$/,
  nodemon: /^(?:-x|--exec)$/,
  "nix-shell": /^--(?:run|command)$/,
  man: /^(?:-P|--pager)$/,
  fzf: /^--(?:bind|preview)$/,
  mapfile: /^-C$/,
  readarray: /^-C$/,
  vi: editor,
  vim: editor,
  nvim: editor,
  ex: editor,
  make: /^--eval$/,
  gmake: /^--eval$/,
};

/** What programs start that take a command by one of their options, or read a text with commands in it. */
export function startedByOptions(program: string, rest: readonly ShellWord[], input: Input): Started {
  if (program === "ed") return { commands: [], texts: escapes(input) };
  if (program === "sed" || program === "gsed") return { commands: [], texts: bySed(rest) };
  if ((program === "gh" || program === "glab") && rest[0] === "alias") return byAlias(rest, input);
  if (program === "at" || program === "batch" || program === "crontab") return byTable(program, rest, input);
  const option = Object.hasOwn(commandOptions, program) ? commandOptions[program] : undefined;
  const values = option ? optionValues(rest, option) : [];
  const plus = option === editor || program === "less" ? rest.filter(isPlus) : [];
  const texts = [...values, ...plus].flatMap((value) => (value === undefined ? [undefined] : partsOf(value)));
  if (option === editor) texts.push(...escapes({ ...input, isUnknown: false }));
  return program === "make" || program === "gmake" ? byMake(rest, input, values) : { commands: [], texts };
}

function isPlus(word: ShellWord): word is string {
  return isKnown(word) && word.startsWith("+");
}

/** `ProxyCommand=git push`, `exec=git push`, `:!git push`, `enter:execute(git push)`: the value, and what stands behind such signs. */
function partsOf(value: string): string[] {
  const behind = ["=", "!", "("].flatMap((sign) => (value.includes(sign) ? value.slice(value.indexOf(sign) + 1) : []));
  return [value, ...behind.map((text) => text.replace(/\)$/, ""))];
}

/** A makefile on stdin: its lines are recipes, and so may be what stands behind a semicolon. */
function byMake(rest: readonly ShellWord[], input: Input, values: readonly (string | undefined)[]): Started {
  const files = optionValues(rest, /^(?:-f|--(?:file|makefile))$/);
  const read = [...(files.some(isStdin) ? readTexts(input) : []), ...(files.includes(undefined) ? [undefined] : [])];
  return {
    commands: [],
    texts: [...values, ...read].flatMap((text) => (text === undefined ? [undefined] : recipes(text))),
  };
}

function recipes(text: string): string[] {
  const lines = text
    .split("\n")
    .flatMap((line) => [line.replace(/^[\t ]*[-@+]*/, ""), line.slice(line.indexOf(";") + 1)]);
  const calls = [...text.matchAll(/\$\(shell ([^()]*)\)/g)].map(([, command]) => command!);
  return [...lines, ...calls].filter((line) => line.trim() !== "").slice(0, 200);
}

/** `gh alias set x '!git push'`, and lines such as `x: "!git push"` that it reads. */
function byAlias(rest: readonly ShellWord[], input: Input): Started {
  const lines = readTexts(input).flatMap((text) => (text === undefined ? [undefined] : text.split("\n")));
  const texts = [...rest.filter(isKnown), ...lines].map((text) => text?.replace(/^(?:[\w -]+:\s*)?["']?!?/, ""));
  return { commands: [], texts: texts.map((text) => text?.replace(/["']$/, "")) };
}

/** `1e git push` executes, and so does what `s/a/git push/e` makes. */
function bySed(rest: readonly ShellWord[]): string[] {
  return rest.filter(isKnown).flatMap((word) => {
    const execute = /(?:^|[;{}\d$/])[ \t]*e[ \t]+([^ \t\n][^\n]*)/.exec(word);
    const parts = word.startsWith("s") ? word.split(word.charAt(1)) : [];
    const isExecuted = parts.length >= 4 && /^[a-zA-Z\d]*$/.test(parts.at(-1)!) && parts.at(-1)!.includes("e");
    return [...(execute ? [execute[1]!] : []), ...(isExecuted ? [parts.at(-2)!] : [])];
  });
}

/** In an editor of lines, `!` begins a command for a shell. */
function escapes(input: Input): Started["texts"] {
  return readTexts(input).flatMap((text) =>
    text === undefined ? [undefined] : text.split("\n").flatMap((line) => /^:*!(.*)$/.exec(line)?.[1] ?? []),
  );
}

/** These read a text for a shell; the lines of crontab begin with times. */
function byTable(program: string, rest: readonly ShellWord[], input: Input): Started {
  if (program !== "crontab") return { commands: [], texts: readTexts(input) };
  if (!rest.some(isStdin) && rest.length > 0) return noCommands;
  return {
    commands: [],
    texts: readTexts(input).flatMap((text) =>
      text === undefined ? [undefined] : text.split("\n").map((line) => line.replace(/^(?:@\w+|(?:\S+\s+){5})/, "")),
    ),
  };
}
