import type { DaemonInfo, DaemonService } from "../../contract/api/daemon.ts";
import type { Screen } from "../context.ts";
import { cleanLine } from "./clean.ts";
import { localTime, span } from "./time.ts";
import { count, factLines } from "./words.ts";

interface Status {
  daemon: DaemonInfo | null;
  /** Of this program. */
  version: string;
  log: string;
  driving: string[];
}

const nameWidth = 8;

export function viewStatus({ colors, nowMs }: Screen, { daemon, version, log, driving }: Status): string {
  if (!daemon) {
    const ending = driving.length === 0 ? "" : `; one that ends still has ${driving.join(", ")}`;
    return [`No daemon runs${cleanLine(ending)}. clew daemon start starts it.`, ...logLine(colors, log)].join("\n");
  }
  return [
    `${colors.green("▸")} The daemon runs.`,
    ...factLines(
      colors,
      [
        ["since", `${localTime(daemon.started)}  (${span(daemon.started, nowMs())})`],
        ["process", String(daemon.pid)],
        ["version", daemon.version],
        ["socket", daemon.socket],
        ["url", daemon.url ?? undefined],
        ["runs", driving.join(", ") || "none"],
      ],
      nameWidth,
    ),
    ...logLine(colors, log),
    ...versionNote(daemon, version),
  ].join("\n");
}

function logLine(colors: Screen["colors"], log: string): string[] {
  return factLines(colors, [["log", log]], nameWidth);
}

/** A daemon keeps its version when the program is updated. */
function versionNote(daemon: DaemonInfo, version: string): string[] {
  if (daemon.version === version) return [];
  const what = `It is of version ${daemon.version}, and this program of ${version}`;
  return [cleanLine(`! ${what}: clew daemon stop, then clew daemon start`)];
}

interface StartedDaemon {
  daemon: DaemonInfo;
  is_new: boolean;
  /** Of this program. */
  version: string;
}

/** What there was to do when it was started. */
export interface WorkAhead {
  ready: number;
  toResume: number;
  /** How many runs at once. */
  limit: number;
}

function workText({ ready, toResume, limit }: WorkAhead): string[] {
  const facts = `${count(ready, "bead")} ready · ${count(toResume, "run")} to take up · at most ${limit} at once`;
  return ready + toResume === 0 ? [facts] : [facts, "It works on them from now on: clew daemon stop holds it."];
}

export function viewStarted({ colors }: Screen, { daemon, is_new, version }: StartedDaemon, work?: WorkAhead): string {
  const { pid, socket, url } = daemon;
  const what = is_new ? "The daemon runs" : "A daemon runs already";
  return [
    `${colors.green("▸")} ${what}: process ${pid}`,
    ...factLines(
      colors,
      [
        ["socket", socket],
        ["url", url ?? undefined],
      ],
      nameWidth,
    ),
    ...versionNote(daemon, version),
    ...(is_new && work ? workText(work) : []),
  ].join("\n");
}

export function viewStopped(stopped: DaemonInfo | null): string {
  return stopped ? `Stopped: process ${stopped.pid}` : "No daemon runs.";
}

/** What a stop that takes long waits for. */
export function waitsFor({ driving }: Pick<Status, "driving">): string {
  const runs = driving.length === 0 ? "what it has at hand" : `${count(driving.length, "run")}: ${driving.join(", ")}`;
  return cleanLine(`still waiting: the daemon ends ${runs}; Ctrl-C stops waiting, and it ends all the same`);
}

export function viewService(service: DaemonService | null): string {
  if (!service) return "The daemon is not started at login any more. One that runs goes on: clew daemon stop ends it.";
  const { kind, path, next } = service;
  const done = next.length === 0 ? "The daemon starts at every login from now on." : "Left to do:";
  return [cleanLine(`${path} (${kind})`), done, ...next.map((command) => `  $ ${cleanLine(command)}`)].join("\n");
}
