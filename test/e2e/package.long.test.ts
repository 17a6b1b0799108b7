import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { node } from "../support/node.ts";

const root = resolve(import.meta.dirname, "../..");
let place: string;

beforeAll(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "clew package ")));
});

afterAll(() => rmSync(place, { recursive: true, force: true }));

test("S1 the package installs into an empty prefix, builds nothing there, and plays the demo", () => {
  const run = (command: string, args: string[], cwd: string): string =>
    execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  run("npm", ["pack", "--pack-destination", place, "--loglevel=error"], root);
  const [tarball] = readdirSync(place);
  const prefix = join(place, "prefix");
  // A compiler that is not there: whatever wants to build fails.
  const env = { ...process.env, CC: "false", CXX: "false", npm_config_prefer_offline: "true" };
  const installed = spawnSync(
    "npm",
    ["install", "--global", "--prefix", prefix, "--no-audit", "--no-fund", join(place, tarball!)],
    { cwd: place, encoding: "utf8", env },
  );
  expect([installed.status, installed.stderr]).toEqual([0, expect.any(String)]);
  const program = join(prefix, "bin/clew");
  expect(run(node, [program, "--version"], place)).toMatch(/^\d+\.\d+\.\d+\n$/);
  const demo = spawnSync(node, [program, "demo"], {
    cwd: place,
    encoding: "utf8",
    env: { ...process.env, HOME: place },
  });
  expect([demo.status, demo.stdout.includes("from its first line to its merge")]).toEqual([0, true]);
});
