import type { PermissionEvent } from "../contract/engine.ts";
import type { PermissionLevel } from "../contract/engine-abilities.ts";

/**
 * Whether an agent of this level may make a call without being asked. `work` is to edit and to run inside the folder: what
 * names a place outside, reaches the network or acts as somebody else is asked. In doubt it is asked. This reads words and is
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
  const words = command.split(/[\s;|&()<>"'`=:,{}]+/).filter((word) => word !== "");
  if (/\$(?:\{?(?:HOME|OLDPWD|SSH_|XDG_)|[([])|`|\\|\n[ \t]*cd[ \t]|(?:^|[\s;|&(])cd[ \t]+-/.test(command))
    return false;
  if (/(?:^|[\s;|&(])(?:git[ \t]+push|(?:npm|yarn|pnpm|cargo)[ \t]+(?:publish|login))(?:$|[\s;|&)])/.test(command))
    return false;
  return words.every((word) => !outsideProgram.test(word) && !word.startsWith("~") && isInsideWord(word, folder));
}

/** Programs that act elsewhere: as another user, on other machines, on the system, on other processes. */
const outsideProgram =
  /^(?:.*\/)?(?:sudo|su|doas|ssh|scp|sftp|rsync|curl|wget|nc|ncat|telnet|ftp|docker|podman|kubectl|systemctl|launchctl|crontab|at|shutdown|reboot|mount|umount|kill|killall|pkill|gh|aws|gcloud|az|eval|osascript)$/;

/** Where programs stand, and what is no file of anybody's. */
const harmlessPath = /^\/(?:usr\/(?:local\/)?bin|bin)\/[\w.+-]+$|^\/dev\/(?:null|stdin|stdout|stderr|fd\/\d)$/;

function isInsideWord(word: string, folder: string): boolean {
  if (!word.startsWith("/") && !/(?:^|\/)\.\.(?:\/|$)/.test(word)) return true;
  return harmlessPath.test(word) || isInside(word, folder);
}

/** Both are paths as they are written: a link is not followed here. */
function isInside(path: string, folder: string): boolean {
  const full = normal(path.startsWith("/") ? path : `${folder}/${path}`);
  const root = normal(folder);
  // The repository's own folder decides what git runs on the user's behalf.
  if (/\/\.git(?:\/|$)/.test(full.slice(root.length))) return false;
  return full === root || full.startsWith(root === "/" ? root : `${root}/`);
}

function normal(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}
