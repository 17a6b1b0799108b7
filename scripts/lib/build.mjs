import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { keepMachineCode } from "./machine-code.mjs";

const programFile = "clew.cjs";
const stampName = ".built-from";

/**
 * Says why the program must be built, or nothing when `dist/` was built from these very sources.
 * @param {string} root
 */
export function whyBuild(root) {
  const builtFrom = readIfThere(join(root, "dist", stampName));
  if (builtFrom === undefined) return "first build";
  return builtFrom === fingerprint(root) ? undefined : "sources changed";
}

/**
 * Builds beside `dist/` and swaps, so that half a program is never started.
 * @param {string} root
 */
export async function buildProgram(root) {
  const dist = join(root, "dist");
  const fresh = join(root, ".dist-new");
  const old = join(root, ".dist-old");
  for (const leftover of [fresh, old]) rmSync(leftover, { recursive: true, force: true });

  const builtFrom = fingerprint(root);
  const { build } = await import("rolldown");
  const {
    default: program,
    engines,
    hook,
    client,
  } = await import(pathToFileURL(join(root, "rolldown.config.mjs")).href);
  try {
    for (const config of [program, engines, hook, client]) {
      await build({ ...config, cwd: root, output: { ...config.output, dir: fresh } });
    }
  } catch (error) {
    // Rolldown colours its messages also where colours cannot be seen.
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(process.stderr.isTTY ? message : stripVTControlCharacters(message), { cause: error });
  }
  chmodSync(join(fresh, programFile), 0o755);
  cpSync(join(root, "builtins"), join(fresh, "builtins"), { recursive: true });
  readBuiltins(join(fresh, programFile), join(fresh, "builtins", "grimoires"));
  writeApiDocument(fresh);
  writeFileSync(join(fresh, stampName), builtFrom);

  if (existsSync(dist)) renameSync(dist, old);
  renameSync(fresh, dist);
  rmSync(old, { recursive: true, force: true });
  keepMachineCode(dist);
}

/**
 * Lets the program read its built-in grimoires once, and keeps what it made of them beside them.
 * @param {string} file the program
 * @param {string} folder
 */
function readBuiltins(file, folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const shown = execFileSync(process.execPath, [file, "grimoire", "show", path, "--json"], { encoding: "utf8" });
    const { grimoire } = JSON.parse(shown);
    if (!grimoire) throw new Error(`builtins/grimoires/${name} is not valid; clew grimoire validate tells why`);
    writeFileSync(`${path}.json`, JSON.stringify(grimoire));
  }
}

/**
 * The description of the daemon's API, from the same schemas that it checks with.
 * @param {string} folder the program's
 */
function writeApiDocument(folder) {
  const program = join(folder, "chunks", "api-document.cjs");
  writeFileSync(
    join(folder, "openapi.json"),
    execFileSync(process.execPath, [program], { maxBuffer: 64 * 1024 * 1024 }),
  );
}

/** @param {string} file */
function readIfThere(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/**
 * A hash over everything that goes into the program: names and contents, not times, which a clone or a branch switch
 * changes.
 * @param {string} root
 */
function fingerprint(root) {
  const hash = createHash("sha256");
  const around = ["package.json", "package-lock.json", "rolldown.config.mjs", "scripts/lib/machine-code.mjs"];
  hash.update(process.version);
  for (const file of [...sources(root), ...around]) {
    const content = readFileSync(join(root, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

/** @param {string} root */
function sources(root) {
  return ["src", "builtins"]
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".test.ts"))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
}
