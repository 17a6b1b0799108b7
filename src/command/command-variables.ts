import type { ShellAssignment } from "./read-command.ts";
import { startsBySetting } from "./git-starts.ts";
import { anyWords, isKnown, type ShellWord } from "./words.ts";
import type { Started } from "./started.ts";

/** Variables whose value other programs execute. */
const commandName =
  /^(?:PS[0-4]|VISUAL|FCEDIT|BROWSER|LESSOPEN|LESSCLOSE|GIT_SSH|GIT_EXTERNAL_DIFF|SVN_SSH|SHELL|MAKESHELL|CC|CXX|LD|.*(?:COMMAND|EDITOR|PAGER|ASKPASS|_RSH|_WRAPPER|_RUNNER))$/;
const gitValue = /^GIT_CONFIG_VALUE_\d+$/;

/** What the variables around a command may have executed: `GIT_EDITOR='git push' git commit`. */
export function startedByVariables(words: readonly ShellWord[], assignments: readonly ShellAssignment[]): Started {
  const started: Started = { commands: [], texts: [] };
  const named = words.slice(1).flatMap((word): ShellAssignment[] => {
    const [, name, value] = (isKnown(word) ? /^(\w+)=([^]*)$/.exec(word) : null) ?? [];
    return name === undefined ? [] : [{ name, value: value! }];
  });
  for (const { name, value } of [...assignments, ...named]) {
    if (gitValue.test(name)) addSetting(started, value);
    else if (name === "GIT_CONFIG_PARAMETERS") addParameters(started, value);
    else if (commandName.test(name)) started.texts.push(isKnown(value) ? value.replace(/^[|!]+/, "") : undefined);
  }
  return started;
}

/** Its key stands in another variable: it may be an alias. */
function addSetting(started: Started, value: ShellWord): void {
  if (!isKnown(value)) return void started.texts.push(undefined);
  started.texts.push(value.replace(/^!/, ""));
  started.commands.push(["git", ...value.trim().split(/\s+/), anyWords]);
}

/** `'alias.x=!git push' 'a.b'='c'`. */
function addParameters(started: Started, value: ShellWord): void {
  if (!isKnown(value)) return void started.texts.push(undefined);
  for (const [, key, text] of value.matchAll(/'([^'=]+)'?='?([^']*)'/g)) {
    const { commands, texts } = startsBySetting(key!, text!);
    started.commands.push(...commands);
    started.texts.push(...texts);
  }
}
