import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const pollMs = 200;
const heartbeatMs = 1000;
const silentAfterMs = 15_000;
const giveUpAfterMs = 15 * 60_000;

/**
 * Runs `work` while no other process does the same in this checkout. `work` says which child it started, because a
 * child may outlive us when we are killed, and then still holds the place.
 *
 * The lock is a folder with one file, named after its holder. A folder can only be renamed onto an empty or missing one,
 * so taking the lock is atomic; a dead holder is removed by its own file name, which cannot hit a successor.
 * @param {string} root
 * @param {(noteChild: (pid: number | undefined) => void) => Promise<void>} work
 */
export async function withLock(root, work) {
  const lock = join(root, ".prepare.lock");
  const holder = `${process.pid}@${hostname()}`;
  await take(lock, holder);

  const holderFile = join(lock, holder);
  const heartbeat = setInterval(() => utimesSync(holderFile, new Date(), new Date()), heartbeatMs);
  try {
    await work((pid) => writeFileSync(holderFile, String(pid ?? "")));
  } finally {
    clearInterval(heartbeat);
    removeHolder(lock, holder);
  }
}

/**
 * @param {string} lock
 * @param {string} holder
 */
async function take(lock, holder) {
  const mine = `${lock}-${holder}`;
  rmSync(mine, { recursive: true, force: true });
  mkdirSync(mine);
  writeFileSync(join(mine, holder), "");

  const startedMs = performance.now();
  let seen = { other: "", beatMs: 0, sinceMs: startedMs };
  while (!tryRename(mine, lock)) {
    const nowMs = performance.now();
    const { other, child, beatMs } = currentHolder(lock);
    if (other && other !== seen.other) process.stderr.write(`waiting for process ${other} to install or build…\n`);
    if (other !== seen.other || beatMs !== seen.beatMs) seen = { other, beatMs, sinceMs: nowMs };
    if (other && isGone(other, child, nowMs - seen.sinceMs)) removeHolder(lock, other);
    if (nowMs - startedMs > giveUpAfterMs) {
      rmSync(mine, { recursive: true, force: true });
      throw new Error(`process ${other} still holds ${lock}. If it is not running any more, delete that folder.`);
    }
    await sleep(pollMs);
  }
}

/**
 * Processes of this machine can be asked, others are judged by their heartbeat alone. A process that is alive but silent
 * is a later one with the same number.
 * @param {string} holder
 * @param {string} child
 * @param {number} silentMs
 */
function isGone(holder, child, silentMs) {
  const [pid = "", host] = holder.split("@");
  const silent = silentMs > silentAfterMs;
  if (host !== hostname()) return silent;
  return !isAlive(child) && (silent || !isAlive(pid));
}

/** @param {string} pid */
function isAlive(pid) {
  if (pid === "") return false;
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return codeOf(error) !== "ESRCH";
  }
}

/** @param {string} lock */
function currentHolder(lock) {
  try {
    const [other = ""] = readdirSync(lock);
    if (other === "") return { other, child: "", beatMs: 0 };
    const file = join(lock, other);
    return { other, child: readFileSync(file, "utf8"), beatMs: statSync(file).mtimeMs };
  } catch (error) {
    if (codeOf(error) === "ENOENT") return { other: "", child: "", beatMs: 0 };
    throw error;
  }
}

/**
 * @param {string} from
 * @param {string} to
 */
function tryRename(from, to) {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (["ENOTEMPTY", "EEXIST"].includes(codeOf(error))) return false;
    throw error;
  }
}

/**
 * @param {string} lock
 * @param {string} holder
 */
function removeHolder(lock, holder) {
  rmSync(join(lock, holder), { force: true });
  try {
    rmdirSync(lock);
  } catch (error) {
    // Someone else took the lock in between, or removed the folder first.
    if (!["ENOTEMPTY", "EEXIST", "ENOENT"].includes(codeOf(error))) throw error;
  }
}

/** @param {unknown} error */
function codeOf(error) {
  return /** @type {NodeJS.ErrnoException} */ (error).code ?? "";
}
