import { execFileSync, spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
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

  // Programs in TypeScript import its client, with types: those of docs/API.md.
  const programs = join(place, "programs");
  mkdirSync(join(programs, "node_modules"), { recursive: true });
  symlinkSync(join(prefix, "lib/node_modules/clew"), join(programs, "node_modules/clew"));
  symlinkSync(join(root, "node_modules/@types"), join(programs, "node_modules/@types"));
  writeFileSync(join(programs, "package.json"), '{"type": "module"}');
  const page = readFileSync(join(root, "docs/API.md"), "utf8");
  const examples = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""], at) => {
    writeFileSync(join(programs, `${at}.ts`), code);
    return `${at}.ts`;
  });
  writeFileSync(
    join(programs, "wrong.ts"),
    'import { daemonClient, fetchTransport } from "clew/client";\nvoid daemonClient(fetchTransport({ url: "", token: "" })).runs.show({ nope: 1 });\n',
  );
  const check = (...files: string[]): string => {
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const options = ["--ignoreConfig", "--noEmit", "--strict", "--target", "ES2023", "--module", "NodeNext"];
    return spawnSync(node, [tsc, ...options, "--types", "node", ...files], { cwd: programs, encoding: "utf8" }).stdout;
  };
  expect([examples.length, check(...examples)]).toEqual([2, ""]);
  expect(check("wrong.ts")).toContain("'nope' does not exist");
  const names = "import('clew/client').then((all) => console.log(Object.keys(all).sort().join()))";
  expect(run(node, ["-e", names], programs)).toBe("ClewError,daemonClient,fetchTransport\n");
}, 300_000);
