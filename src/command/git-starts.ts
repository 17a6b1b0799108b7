import { anyWords, isKnown, type ShellWord } from "./words.ts";
import type { Started } from "./started.ts";

/** Options of git itself that take the word behind them. */
const ownValues = /^(?:-C|--(?:git-dir|work-tree|namespace|exec-path|super-prefix|attr-source))$/;

/** Options that take a command, by the word that git is told. */
const commandOptions: Record<string, RegExp> = {
  rebase: /^(?:-[a-z]*x|--exec)$/,
  difftool: /^(?:-x|--extcmd)$/,
  grep: /^(?:-O|--open-files-in-pager)$/,
  "filter-branch": /^--[a-z]+-filter$/,
  "send-email": /^--[a-z-]+-cmd$/,
  archive: /^--exec$/,
  clone: /^(?:-u|--upload-pack)$/,
  push: /^--(?:receive-pack|exec)$/,
  fetch: /^--upload-pack$/,
  pull: /^--upload-pack$/,
  "ls-remote": /^--upload-pack$/,
  "fetch-pack": /^--upload-pack$/,
};

/** Settings that name nothing to execute. The value of any other may be a command. */
const plainKey = /^(?:user|author|committer|color|advice|column|i18n|branch|push|pull|status|init|rerere|gc|pack)\./i;
/** Those that do name it: what is not known there may be any. */
const commandKey =
  /^(?:alias|pager)\.|(?:command|cmd|editor|pager|helper|program|driver|external|textconv|clean|smudge|process|fsmonitor|askpass|proxy|pack|filter|hookspath|hook)$/i;

/** What git starts by its words: aliases and commands among settings, and commands that some of its words take. */
export function startedByGit(rest: readonly ShellWord[]): Started {
  const started: Started = { commands: [], texts: [] };
  const at = rest.findIndex((word, index) => isSubcommand(word, rest[index - 1]));
  const own = at < 0 ? rest : rest.slice(0, at);
  for (const [index, word] of own.entries()) {
    const isGlued = isKnown(word) && /^-c.|^--config-env=/.test(word);
    if (isGlued) add(started, setting(word.replace(/^-c|^--config-env=/, ""), word.startsWith("--")));
    else if (word === "-c" || word === "--config-env") add(started, setting(own[index + 1], word !== "-c"));
  }
  const [name, ...args] = at < 0 ? [] : rest.slice(at);
  if (isKnown(name)) add(started, bySubcommand(name, args));
  for (const word of rest) {
    const remote = isKnown(word) ? /^ext::([^]*)$/.exec(word) : null;
    // There, `% ` is a space in a word.
    if (remote) started.texts.push(remote[1]!.replaceAll(/%(.)/g, "\\$1"));
  }
  return started;
}

function isSubcommand(word: ShellWord, before: ShellWord | undefined): boolean {
  const isValue = isKnown(before) && (ownValues.test(before) || before === "-c" || before === "--config-env");
  return !isValue && isKnown(word) && !word.startsWith("-");
}

function bySubcommand(name: string, args: readonly ShellWord[]): Started {
  if (name === "config") return byConfig(args);
  if (name === "bisect") return behind(args, "run");
  if (name === "submodule") return behind(args, "foreach");
  if (name === "for-each-repo") return { commands: args.map((_, at) => ["git", ...args.slice(at)]), texts: [] };
  const option = Object.hasOwn(commandOptions, name) ? commandOptions[name] : undefined;
  const started: Started = { commands: [], texts: option ? optionValues(args, option) : [] };
  if (name !== "clone") return started;
  for (const each of optionValues(args, /^(?:-c|--config)$/)) add(started, setting(each ?? anyWords, false));
  return started;
}

/** `bisect run git push`, `submodule foreach 'git push'`: words of a command, or a text for a shell. */
function behind(args: readonly ShellWord[], word: string): Started {
  const at = args.indexOf(word);
  const rest = at < 0 ? [] : args.slice(at + 1);
  const first = rest.findIndex((each) => !isKnown(each) || !each.startsWith("-"));
  if (at < 0 || first < 0) return { commands: [], texts: [] };
  const command = rest.slice(first);
  return { commands: [command], texts: [command.every(isKnown) ? command.join(" ") : undefined] };
}

/** The texts that options take, behind them or in one word with them. */
export function optionValues(args: readonly ShellWord[], option: RegExp): (string | undefined)[] {
  return args.flatMap((word, at) => {
    const isAfter = isKnown(args[at - 1]) && option.test(args[at - 1] as string);
    if (isAfter) return [isKnown(word) ? word : undefined];
    if (!isKnown(word)) return [];
    const [, long, value] = /^(--[\w-]+)=([^]*)$/.exec(word) ?? [];
    if (long !== undefined && option.test(long)) return [value];
    const short = /^-[a-zA-Z]/.test(word) && word.length > 2 && option.test(word.slice(0, 2));
    return short ? [word.slice(2)] : [];
  });
}

/** `git config KEY VALUE`, with options and `set` or `--add` before them. */
function byConfig(args: readonly ShellWord[]): Started {
  const at = args.findIndex((word) => isKnown(word) && /^[\w-]+\..*\w$/.test(word));
  const [key, value] = at < 0 ? [] : args.slice(at);
  if (!isKnown(key) || value === undefined) return { commands: [], texts: [] };
  return isKnown(value) ? startsBySetting(key, value) : unknownOf(key);
}

/** `KEY=VALUE`; what a variable holds is not known. */
function setting(word: ShellWord | undefined, isVariable: boolean): Started {
  if (word === undefined) return { commands: [], texts: [] };
  if (!isKnown(word)) {
    const keys = word.shapes?.map((shape) => /^([\w.-]+)=/.exec(shape)?.[1]);
    const isOther = keys?.every((key) => key !== undefined && !commandKey.test(key)) ?? false;
    return { commands: [], texts: isOther ? [] : [undefined] };
  }
  const [, key, value] = /^([^=]+)=([^]*)$/.exec(word) ?? [];
  if (key === undefined) return { commands: [], texts: [] };
  return isVariable ? unknownOf(key) : startsBySetting(key, value!);
}

/** What a setting starts. An alias goes before the words behind it; after `!` it is a text for a shell. */
export function startsBySetting(key: string, value: string): Started {
  if (plainKey.test(key)) return { commands: [], texts: [] };
  if (value.startsWith("!")) return { commands: [], texts: [value.slice(1)] };
  if (!/^alias\./i.test(key)) return { commands: [], texts: [value] };
  return { commands: [["git", ...value.trim().split(/\s+/), anyWords]], texts: [] };
}

function unknownOf(key: string): Started {
  return { commands: [], texts: commandKey.test(key) ? [undefined] : [] };
}

function add(started: Started, { commands, texts }: Started): void {
  started.commands.push(...commands);
  started.texts.push(...texts);
}
