import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { Services } from "../../app/daemon/api.ts";
import type { DaemonService } from "../../contract/api/daemon.ts";
import { ClewError } from "../../contract/errors.ts";
import { shellWord } from "../../text/shell-word.ts";
import { explainErrors } from "../files/failure.ts";
import { nodeDisk } from "../files/node-disk.ts";
import { serviceName, servicePaths } from "../layout/daemon-paths.ts";
import { launchdPlist, plistProblem } from "./launchd-plist.ts";
import type { ServiceFacts } from "./service-facts.ts";
import { systemdUnit, unitProblem } from "./systemd-unit.ts";

interface Parts {
  platform: NodeJS.Platform;
  root: string;
  commonDir: string;
  /** Node and the program's file. */
  program: string[];
  log: string;
  env: Record<string, string | undefined>;
}

/** A system that starts programs at login. */
interface Starter {
  kind: DaemonService["kind"];
  file: string;
  text: (facts: ServiceFacts) => string;
  /** Why a path cannot stand in its file. */
  problem: (path: string) => string | undefined;
  /** What has to be called after the file was written, and before it is removed. */
  enable: (isRunning: boolean) => string[][];
  disable: string[][];
  /** After it was removed. */
  forget: string[][];
}

/** Writes and removes the file that has systemd or launchd start the daemon at login. */
export function daemonServices(parts: Parts): Services {
  const { root, program, env } = parts;
  return {
    async install(port, isRunning) {
      const starter = starterOf(parts);
      const command = [...program, "daemon", "run", ...(port === undefined ? [] : ["--port", String(port)])];
      for (const path of [root, ...command]) refuseInexpressible(starter, path);
      const folders = (env["PATH"] ?? "").split(":").filter((folder) => starter.problem(folder) === undefined);
      explainErrors(starter.file, () => mkdirSync(dirname(starter.file), { recursive: true }));
      nodeDisk.replace(starter.file, Buffer.from(starter.text({ root, command, path: folders.join(":") })));
      const { kind, file } = starter;
      return { kind, path: file, next: callUntilFailure(starter.enable(isRunning), env) };
    },
    async remove() {
      const starter = starterOf(parts);
      if (!nodeDisk.stamp(starter.file)) return;
      callUntilFailure(starter.disable, env);
      explainErrors(starter.file, () => rmSync(starter.file, { force: true }));
      callUntilFailure(starter.forget, env);
    },
  };
}

function starterOf({ platform, root, commonDir, env, log }: Parts): Starter {
  const name = serviceName(root, commonDir);
  if (platform === "linux") {
    const systemctl = (...words: string[]): string[] => ["systemctl", "--user", ...words];
    return {
      kind: "systemd",
      file: servicePaths.systemd(env, name),
      text: systemdUnit,
      problem: unitProblem,
      // A daemon that runs already keeps its place until the next login.
      enable: (isRunning) => [
        systemctl("daemon-reload"),
        systemctl("enable", ...(isRunning ? [] : ["--now"]), `${name}.service`),
      ],
      disable: [systemctl("disable", `${name}.service`)],
      forget: [systemctl("daemon-reload")],
    };
  }
  if (platform === "darwin") {
    const file = servicePaths.launchd(env, name);
    return {
      kind: "launchd",
      file,
      text: (facts) => launchdPlist({ ...facts, label: name, log }),
      problem: plistProblem,
      enable: (isRunning) => (isRunning ? [] : [["launchctl", "load", "-w", file]]),
      // Unloading ends it, too.
      disable: [["launchctl", "unload", "-w", file]],
      forget: [],
    };
  }
  const hint = "have it run clew daemon start in this repository";
  throw new ClewError("not_available", `clew does not know what starts programs at login on ${platform}`, hint);
}

function refuseInexpressible({ kind, problem }: Starter, path: string): void {
  const why = problem(path);
  if (why === undefined) return;
  const hint = "move the repository or the program to another path, or run clew daemon start at login yourself";
  throw new ClewError("not_possible_now", `${kind} cannot run ${JSON.stringify(path)}: the path ${why}`, hint);
}

/** Calls them in order. Returns those that are left for a person, from the first that failed on. */
function callUntilFailure(commands: string[][], env: Parts["env"]): string[] {
  const failed = commands.findIndex(([file = "", ...args]) => {
    const { status } = spawnSync(file, args, { env, stdio: "ignore", timeout: 30_000 });
    return status !== 0;
  });
  return failed < 0 ? [] : commands.slice(failed).map((words) => words.map(shellWord).join(" "));
}
