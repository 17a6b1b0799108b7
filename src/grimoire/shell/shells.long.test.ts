import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { acceptedScripts } from "./fixtures/accepted-scripts.ts";
import { brokenScript, isTelling } from "./fixtures/broken-scripts.ts";
import { hostileValues } from "./fixtures/hostile-values.ts";
import { piecesOf } from "./fixtures/pieces-of.ts";
import { refusedScripts } from "./fixtures/refused-scripts.ts";
import { safeScript } from "./fixtures/safe-scripts.ts";
import { withLiterals } from "./literal.ts";
import { placeHoles } from "./place-holes.ts";
import { prologue } from "./prologue.ts";
import { withReferences } from "./reference.ts";

const shells = [["sh"], ["bash"], ["bash", "--posix"], ["busybox", "sh"]].filter(
  ([program, ...args]) => spawnSync(program!, [...args, "-c", ":"]).status === 0,
);

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "clew-shell-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What one run of a script left behind: what it logged, its exit code, whether a value was run. */
interface Outcome {
  log: string;
  code: string;
  canary: boolean;
}

/**
 * Runs each script in a subshell of its own and in a folder of its own, all in one shell. `log` writes its arguments,
 * `stdin` its input, NUL behind each, to a file that nothing in a script redirects.
 */
function runAll([program, ...args]: string[], scripts: string[]): Outcome[] {
  const root = mkdtempSync(join(folder, "run-"));
  const driver = [`log() { printf '%s\\0' "$#" "$@" >&3; }`, `stdin() { cat >&3; printf '\\0' >&3; }`, "x=X y=Y"];
  scripts.forEach((script, index) => {
    mkdirSync(join(root, `d${index}`));
    writeFileSync(join(root, `s${index}`), script);
    driver.push(`( cd ${root}/d${index} && . ${root}/s${index} ) 3>${root}/l${index} >/dev/null 2>&1 </dev/null`);
    driver.push(`echo "$?" >${root}/c${index}`);
  });
  writeFileSync(join(root, "driver"), driver.join("\n"));
  const { PATH } = process.env;
  const { status, error } = spawnSync(program!, [...args, join(root, "driver")], { env: { PATH }, timeout: 50_000 });
  expect({ status, error }).toEqual({ status: 0, error: undefined });
  const outcomes = scripts.map((_, index) => ({
    log: readFileSync(join(root, `l${index}`), "utf8"),
    code: readFileSync(join(root, `c${index}`), "utf8"),
    canary: readdirSync(join(root, `d${index}`)).includes("canary"),
  }));
  rmSync(root, { recursive: true });
  return outcomes;
}

/** The script as it is run, and as people see it; the value has a file as in a real run. */
function written(script: string, value: string): { run: string; seen: string; problems: unknown[] } {
  const { script: placed, problems } = placeHoles(piecesOf(script));
  const path = join(mkdtempSync(join(folder, "it's-")), "value");
  writeFileSync(path, value);
  return {
    run: prologue([{ name: "clew_1", path }]) + withReferences(placed, () => "clew_1"),
    seen: withLiterals(placed, () => value),
    problems,
  };
}

/** A source of choices for the makers of scripts. */
const choices = fc.array(fc.nat(), { minLength: 99, maxLength: 99, size: "max" }).map((numbers) => {
  let next = 0;
  return (count: number) => numbers[next++ % numbers.length]! % count;
});

function isPlaced(script: string): boolean {
  return placeHoles(piecesOf(script)).problems.length === 0;
}

/** Many random scripts at a time, because each run of a shell has its price. Failures show the seed. */
function sample<T>(arbitrary: fc.Arbitrary<T>, numRuns: number, seed: number): { seed: number; samples: T[] } {
  return { seed, samples: fc.sample(arbitrary, { seed, numRuns }) };
}

const randomSeed = () => Math.trunc(Math.random() * 2 ** 31);
/** Scripts without sense may also run for ever, so that these are the same each time. */
const FIXED_SEED = 7;

const records = (log: string) => log.split("\0").slice(0, -1);
const anyValue = fc.oneof(
  fc.constantFrom(...hostileValues),
  fc.string({ unit: "grapheme", maxLength: 20 }).filter(isText),
);

function isText(value: string): boolean {
  return !value.includes("\0") && value.isWellFormed();
}

describe.each(shells.map((shell) => ({ name: shell.join(" "), shell })))("G8 in $name", ({ shell }) => {
  it("G8 a value arrives byte for byte in every place", () => {
    const script =
      "log {{.v}} \"<{{.v}}>\" '<{{.v}}>' a{{.v}}\nstdin <<EOF\n<{{.v}}>\nEOF\nstdin <<-'EOF'\n\t<{{.v}}> $x\n\tEOF\n# {{.v}}\nlog z";
    const values = [...hostileValues, `${"long $(:>canary) '\n".repeat(11_000)}\n`];
    const expected = values.map((v) => ["4", v, `<${v}>`, `<${v}>`, `a${v}`, `<${v}>\n`, `<${v}> $x\n`, "1", "z"]);
    for (const form of ["run", "seen"] as const) {
      const outcomes = runAll(
        shell,
        values.map((value) => written(script, value)[form]),
      );
      expect(outcomes.map(({ log }) => records(log))).toEqual(expected);
      expect(outcomes.filter(({ canary }) => canary)).toEqual([]);
    }
  });

  it("G8 generated scripts of good places pass every value on, run and written out", () => {
    const safe = choices.map(safeScript);
    const { seed, samples } = sample(fc.tuple(safe, anyValue), 50, randomSeed());
    const forms = samples.flatMap(([{ script }, value]) => {
      const { run, seen, problems } = written(script, value);
      expect({ seed, script, problems }).toEqual({ seed, script, problems: [] });
      return [run, seen];
    });
    runAll(shell, forms).forEach(({ log, canary }, index) => {
      const [{ script, logs }, value] = samples[index >> 1]!;
      const got = { seed, script, value, canary, log: records(log) };
      expect(got).toEqual({ seed, script, value, canary: false, log: logs(value) });
    });
  });

  it("G8 a value changes nothing about how a script is read, however broken that is", () => {
    const benign = "QbQ";
    // No blanks and patterns, which the author's own unquoted $(…) would split, and no formats for a printf.
    const value = fc.constantFrom(...hostileValues.filter((text) => !/^$|[\s*?[~%]/.test(text)));
    const broken = choices.map(brokenScript);
    const placed = broken.filter((script) => isTelling(script) && isPlaced(script));
    const { seed, samples } = sample(fc.tuple(placed, value), 50, FIXED_SEED);
    const forms = samples.flatMap(([script, hostile]) => {
      const { run, seen } = written(script, hostile);
      return [written(script, benign).run, run, seen];
    });
    const outcomes = runAll(shell, forms);
    samples.forEach(([script, hostile], index) => {
      // Sorted, because the commands of a pipeline log in any order.
      const [plain, run, seen] = outcomes.slice(index * 3, index * 3 + 3).map(({ log, ...outcome }) => ({
        ...outcome,
        told: { seed, script, hostile },
        log: records(log.replaceAll(benign, () => hostile)).toSorted(),
      }));
      expect(run).toEqual(seen);
      expect(run).toMatchObject({ canary: false, log: plain!.log });
    });
  });

  it("G8 scripts as people write them keep hostile values as data", () => {
    const values = ["';:>canary;$(:>canary)", "a[$(:>canary)0]"];
    const scripts = acceptedScripts.flatMap((script) => values.map((value) => written(script, value).run));
    const outcomes = runAll(shell, scripts);
    expect(scripts.filter((_, index) => outcomes[index]!.canary)).toEqual([]);
  });

  it("G8 what the hints advise works", () => {
    const value = `it's "$(:>canary)" \`:>canary\` a[$(:>canary)] \\ end`;
    const fixes = refusedScripts.flatMap(({ fix, bash }) => (fix && (!bash || shell[0] === "bash") ? [fix] : []));
    const scripts = fixes.map((fix) => written(fix, value));
    expect(scripts.flatMap(({ problems }) => problems)).toEqual([]);
    runAll(
      shell,
      scripts.map(({ run }) => run),
    ).forEach(({ log, canary }, index) => {
      const arrived = records(log).some((record) => record.includes(value));
      expect({ fix: fixes[index], arrived, canary }).toEqual({ fix: fixes[index], arrived: true, canary: false });
    });
  });

  it("G8 the first line reads any bytes, in any locale, and exports nothing", () => {
    const bytes = Buffer.from([...Array(255).keys()].map((byte) => byte + 1));
    const values = [
      bytes,
      Buffer.from("\n\n"),
      Buffer.from(""),
      Buffer.from([0xc3]),
      Buffer.from([0x82, 0x2e]),
      Buffer.from("é.\n"),
    ];
    const root = mkdtempSync(join(folder, "it's-"));
    const variables = values.map((value, index) => {
      writeFileSync(join(root, `v${index}`), value);
      return { name: `clew_${index}`, path: join(root, `v${index}`) };
    });
    const script = join(root, "script");
    const prints = variables.map(({ name }) => `printf '%s|' "$${name}"`).join("\n");
    writeFileSync(script, `${prologue(variables)}set -eua\n${prints}\nif env | grep -a ^clew_; then exit 9; fi\n`);
    for (const locale of ["C", "C.UTF-8"]) {
      const env = { PATH: process.env.PATH, LC_ALL: locale, IFS: "cat", clew_1: "old", SHELLOPTS: "allexport" };
      const { stdout, status } = spawnSync(shell[0]!, [...shell.slice(1), script], { env });
      expect(status).toBe(0);
      expect(stdout).toEqual(Buffer.concat(values.flatMap((value) => [value, Buffer.from("|")])));
    }
  });

  it("G8 a value that cannot be read ends the script with 125, and the script begins on line 2", () => {
    const run = (script: string) => spawnSync(shell[0]!, [...shell.slice(1), "-c", script], { encoding: "utf8" });
    const missing = run(`${prologue([{ name: "clew_1", path: join(folder, "missing") }])}echo ran`);
    expect(missing).toMatchObject({ status: 125, stdout: "" });
    expect(missing.stderr).toContain("a value of this script cannot be read");
    expect(prologue([]).split("\n")).toHaveLength(2);
    expect(prologue([{ name: "clew_1", path: "/a" }]).split("\n")).toHaveLength(2);
    expect(() => prologue([{ name: "clew_1", path: "/a\nb" }])).toThrow("one line");
  });
});
