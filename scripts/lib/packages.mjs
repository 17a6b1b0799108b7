import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

const nodeMajor = process.versions.node.split(".")[0];

/** @typedef {{ version?: string, integrity?: string, optional?: boolean, devOptional?: boolean }} LockedPackage */

/**
 * Says why the packages must be installed, or nothing when they are there. npm writes its own list of what it
 * installed as its very last act, so comparing the two lists also notices an install that was cut short, and accepts
 * one that somebody made by hand.
 * @param {string} root
 */
export function whyInstall(root) {
  const modules = join(root, "node_modules");
  if (!existsSync(modules)) return "first run";
  const installed = installedIn(modules);
  if (!installed) return "the last install did not finish";

  const wanted = packagesIn(join(root, "package-lock.json"));
  const differs = Object.entries(wanted).some(([path, one]) => path !== "" && !isSatisfied(one, installed[path]));
  if (differs) return "package-lock.json changed";

  const stamp = stampOf(root);
  const stampedMajor = existsSync(stamp) ? readFileSync(stamp, "utf8").trim() : nodeMajor;
  return stampedMajor === nodeMajor ? undefined : `Node changed from ${stampedMajor} to ${nodeMajor}`;
}

/**
 * @param {string} root
 * @param {(pid: number | undefined) => void} noteChild
 * @param {"ci" | "install"} command `install` also takes a lock file that lacks optional packages which nobody published
 */
export async function installPackages(root, noteChild, command = "ci") {
  // Development packages come along whatever NODE_ENV says: the program is built from source.
  const options = ["--include=dev", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=warn"];
  const args = command === "ci" ? ["ci", ...options] : ["install", "--no-save", ...options];
  const { code, output } = await npm(root, args, noteChild);
  if (code !== 0) {
    throw new Error(
      `\`npm ${command}\` ended with ${code}:\n\n${output.trim()}\n\n` +
        "Packages come over the network on the first run: check the connection or proxy, then run the same command again.",
    );
  }
  writeFileSync(stampOf(root), `${nodeMajor}\n`);
}

/** @param {string} root */
function stampOf(root) {
  return join(root, "node_modules", ".clew-node");
}

/**
 * Nothing when the list is missing or half written: an install was cut short, or runs this moment.
 * @param {string} modules
 */
function installedIn(modules) {
  try {
    return packagesIn(join(modules, ".package-lock.json"));
  } catch {
    return undefined;
  }
}

/**
 * @param {string} file
 * @returns {Record<string, LockedPackage>}
 */
function packagesIn(file) {
  return JSON.parse(readFileSync(file, "utf8")).packages;
}

/**
 * @param {LockedPackage} wanted
 * @param {LockedPackage | undefined} installed
 */
function isSatisfied(wanted, installed) {
  // Packages for other platforms are optional and rightly absent.
  if (!installed) return Boolean(wanted.optional || wanted.devOptional);
  return installed.version === wanted.version && installed.integrity === wanted.integrity;
}

/**
 * Runs the npm that started us, else the one on the path, and keeps quiet unless it fails.
 * @param {string} cwd
 * @param {string[]} args
 * @param {(pid: number | undefined) => void} noteChild
 * @returns {Promise<{ code: number | string, output: string }>}
 */
function npm(cwd, args, noteChild) {
  const caller = process.env.npm_execpath;
  const [file, ...first] = caller && basename(caller) === "npm-cli.js" ? [process.execPath, caller] : ["npm"];
  return new Promise((resolve) => {
    const child = spawn(file, [...first, ...args], { cwd, stdio: ["ignore", "pipe", "pipe"] });
    noteChild(child.pid);
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text) => (output += text));
    child.stderr.setEncoding("utf8").on("data", (text) => (output += text));
    child.on("error", (error) => resolve({ code: "an error", output: error.message }));
    child.on("close", (code, signal) => resolve({ code: code ?? signal ?? "no exit code", output }));
  });
}
