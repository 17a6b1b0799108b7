import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { launchdPlist, plistProblem } from "./launchd-plist.ts";
import { daemonServices } from "./services.ts";
import { systemdUnit, unitProblem } from "./systemd-unit.ts";

/** Paths of all that a name may hold. */
const odd = fc.string({ unit: fc.constantFrom(..."ab /\\\"'%$&<>;#=~`*?[]{}()é日\t\n"), minLength: 1, maxLength: 12 });
const path = odd.map((name) => `/r/${name}`);

/** The words of a command line, as systemd.service(5) and systemd.unit(5) read them. */
function wordsOf(line: string): string[] {
  const words = [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, inside]) => inside!.replace(/\\(.)/g, "$1"));
  return words.map((word, at) => {
    const plain = word.replace(/%%/g, "%");
    // The path of the program itself is no place for variables.
    return at === 0 ? plain : plain.replace(/\$\$/g, "$");
  });
}

const valueOf = (unit: string, name: string): string => new RegExp(`^${name}=(.*)$`, "m").exec(unit)![1]!;

test("D1 what a unit holds is read as it was meant, and what it cannot hold is refused", () => {
  fc.assert(
    fc.property(path, path, path, (root, executable, file) => {
      if ([root, executable, file].some((each) => unitProblem(each) !== undefined)) return;
      const command = [executable, file, "daemon", "run"];
      const unit = systemdUnit({ root, command, path: `/bin:${file}` });
      expect(wordsOf(valueOf(unit, "ExecStart"))).toEqual(command);
      expect(valueOf(unit, "WorkingDirectory").replace(/%%/g, "%")).toBe(root);
      expect(wordsOf(valueOf(unit, "Environment"))).toEqual([`PATH=/bin:${file}`]);
      // No value reaches into another line.
      expect(unit.split("\n")).toHaveLength(systemdUnit({ root: "/r", command, path: "" }).split("\n").length);
    }),
  );
  expect(["/a\nb", "/a\tb", "/a ", "/a\\"].map(unitProblem)).not.toContain(undefined);
  expect(["/a b", "/a\\b", "/50%", '/a"b'].map(unitProblem)).toEqual([undefined, undefined, undefined, undefined]);
});

test("D1 what a property list holds is read as it was meant", () => {
  const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
  const stringsIn = (plist: string): string[] =>
    [...plist.matchAll(/<string>([^<]*)<\/string>/g)].map(([, text]) =>
      text!.replace(/&(\w+);/g, (_, name: string) => entities[name]!),
    );
  fc.assert(
    fc.property(path, path, (root, file) => {
      if (plistProblem(root) ?? plistProblem(file)) return;
      const plist = launchdPlist({
        label: "clew-a",
        root,
        command: [file, "daemon", "run"],
        path: "/bin",
        log: "/log",
      });
      expect(stringsIn(plist)).toEqual(["clew-a", file, "daemon", "run", root, "/bin", "/log"]);
      // Nothing but what was meant is markup.
      expect(plist.match(/<(?!\/?(?:plist|dict|key|string|array|true)\b|\?xml|!DOCTYPE)/g)).toBeNull();
    }),
  );
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "clew-services-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A `launchctl` that writes down how it was called. */
function launchctl(): { env: Record<string, string>; calls: () => string[] } {
  const file = join(folder, "launchctl");
  const calls = join(folder, "calls");
  writeFileSync(file, `#!/bin/sh\necho "$@" >> '${calls}'\n`);
  chmodSync(file, 0o755);
  const env = { HOME: folder, PATH: [folder, process.env["PATH"]].join(delimiter) };
  return { env, calls: () => (existsSync(calls) ? readFileSync(calls, "utf8").trimEnd().split("\n") : []) };
}

test("D1 launchd is given an agent that comes back after a crash, and has it taken away", async () => {
  const { env, calls } = launchctl();
  const facts = { root: "/r & d", commonDir: "/r & d/.git", program: ["/node", "/clew.cjs"], log: "/log", env };
  const services = daemonServices({ platform: "darwin", ...facts });
  const { kind, path: file, next } = await services.install(7_000, false);
  expect([kind, next]).toEqual(["launchd", []]);
  expect(file).toMatch(/\/Library\/LaunchAgents\/clew-r-d-[0-9a-f]{8}\.plist$/);
  const plist = readFileSync(file, "utf8");
  expect(plist).toContain("<string>--port</string>\n    <string>7000</string>");
  expect(plist).toMatch(/<key>KeepAlive<\/key>\s*<dict>\s*<key>Crashed<\/key>\s*<true\/>/);
  // One that runs already is not started a second time.
  await services.install(undefined, true);
  await services.remove();
  expect(existsSync(file)).toBe(false);
  expect(calls()).toEqual([`load -w ${file}`, `unload -w ${file}`]);
});

test("D1 on a system that is not known, that is said", async () => {
  const facts = { root: "/r", commonDir: "/r/.git", program: ["/node"], log: "/log", env: {} };
  const services = daemonServices({ platform: "win32", ...facts });
  await expect(services.install(undefined, false)).rejects.toMatchObject({ code: "not_available" });
});
