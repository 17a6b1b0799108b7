import type { PermissionEvent } from "../contract/engine.ts";
import type { PermissionLevel } from "../contract/engine-abilities.ts";

/**
 * Whether an agent of this level may make a call without being asked. `work` is to edit and to run inside the folder: what
 * names a place outside, reaches the network or acts as another user is asked. In doubt it is asked. This reads words and is
 * no sandbox: a program inside the folder can do whatever its user can.
 */
export function isWithinLevel(level: PermissionLevel, { action }: PermissionEvent, folder: string): boolean {
  if (level === "full" || action?.kind === "result") return true;
  if (action === undefined) return false;
  switch (action.kind) {
    case "read":
      return action.paths.every((path) => isInside(path, folder));
    case "edit":
      return level === "work" && action.paths.length > 0 && action.paths.every((path) => isInside(path, folder));
    case "run":
      return level === "work" && staysInside(action.command, folder);
  }
}

/** Whether no word of a command leads out of the folder. */
function staysInside(command: string, folder: string): boolean {
  const parts = simpleCommands(command);
  return (
    parts !== undefined &&
    parts.every((words) => !actsElsewhere(words) && words.every((word) => isInsideWord(word, folder)))
  );
}

/**
 * The words of each simple command, without their quotes. Undefined where a shell would put something in the place of what is
 * written: substitutions, variables beside a plain `$name`, escapes, braces, words glued together by quotes.
 */
function simpleCommands(command: string): string[][] | undefined {
  if (/[`\\{}]|\$(?![a-z_][a-z0-9_]{0,50}(?:[\s;"')]|$))|[^\s"'(]\$/.test(command)) return undefined;
  const commands: string[][] = [[]];
  const pattern = /(['"])((?:(?!\1)[\s\S])*)\1|[;|&\n]+|[()<>=:,]|[^\S\n]+|[^\s;|&()<>=:,'"]+|['"]/g;
  let isAfterWord = false;
  for (const [token, quote, quoted] of command.matchAll(pattern)) {
    const isWord = quote !== undefined || !/^(?:[;|&()<>=:,'"]|\s)/.test(token);
    if (token === "'" || token === '"' || (isWord && isAfterWord)) return undefined;
    if (/^[;|&\n]/.test(token)) commands.push([]);
    // What is quoted may be a script of its own: each of its words counts.
    if (isWord) commands.at(-1)!.push(...(quoted ?? token).split(/[\s()<>"'=:,;|&]+/).filter((word) => word !== ""));
    isAfterWord = isWord;
  }
  return commands;
}

/** What these programs do to other machines, or to what runs on the user's behalf. */
const outsideWork: Record<string, ReadonlySet<string>> = {
  git: new Set(["push", "config", "remote", "clone", "fetch", "pull", "submodule"]),
  cd: new Set(["-"]),
  ...Object.fromEntries(
    ["npm", "yarn", "pnpm", "bun", "cargo", "gem", "twine"].map((name) => [
      name,
      new Set(["publish", "login", "adduser", "upload"]),
    ]),
  ),
};

function actsElsewhere(words: readonly string[]): boolean {
  // Alone it goes home.
  if (words.length === 1 && words[0] === "cd") return true;
  if (words.some((word) => outsideProgram.test(word) || word.startsWith("~"))) return true;
  return words.some((word) => {
    const work = Object.hasOwn(outsideWork, word) ? outsideWork[word]! : undefined;
    return work !== undefined && words.some((each) => work.has(each));
  });
}

/** Programs that act elsewhere: as another user, on other machines, on the system, on other processes. */
const outsideProgram =
  /^(?:.*\/)?(?:sudo|su|doas|ssh|scp|sftp|rsync|curl|wget|nc|ncat|netcat|socat|telnet|ftp|docker|podman|kubectl|systemctl|launchctl|crontab|at|shutdown|reboot|mount|umount|kill|killall|pkill|gh|aws|gcloud|az|eval|source|osascript|open|xdg-open)$/;

/** Where programs stand, and devices that hold no data. */
const harmlessPath = /^\/(?:usr\/(?:local\/)?bin|bin)\/[\w.+-]+$|^\/dev\/(?:null|stdin|stdout|stderr|fd\/\d)$/;

/** A word may be a path, or an option with a path glued to it. */
function isInsideWord(word: string, folder: string): boolean {
  const path = word.replace(/^-{1,2}[A-Za-z-]*(?=[/.])/, "");
  return harmlessPath.test(path) || isInside(path, folder);
}

/** Both are paths as they are written: a link is not followed here. */
function isInside(path: string, folder: string): boolean {
  const full = normal(path.startsWith("/") ? path : `${folder}/${path}`);
  const root = normal(folder);
  if (full !== root && !full.startsWith(root === "/" ? root : `${root}/`)) return false;
  // What stands in .git decides what git runs on the user's behalf.
  return !/(?:^|\/)\.git(?:\/|$)/i.test(full.slice(root.length));
}

function normal(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}
