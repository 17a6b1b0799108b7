// Draws the README's pictures anew, from what the built program really prints and writes: docs/pictures/*.svg.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { drawWindow } from "./lib/draw-window.mjs";
import { colorMarkdown, readColors } from "./lib/colored-lines.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const program = join(root, "dist/clew.cjs");
const pictures = join(root, "docs/pictures");
const place = mkdtempSync(join(tmpdir(), "clew-pictures-"));
const repo = join(place, "shop");
const columns = 96;

try {
  mkdirSync(pictures, { recursive: true });
  execFileSync(process.execPath, [program, "demo", "--keep", repo], { stdio: "ignore" });
  writeFileSync(join(repo, "login.html"), "<p>Log in</p>\n");
  execFileSync("git", ["-C", repo, "commit", "-q", "-a", "-m", "Back to a plain page"]);
  const bead = clew(["bead", "create", "Say why people were logged out", "-t", "bug", "-l", "grimoire:fix-bug"]).trim();
  const session = [...shown(`clew run ${bead}`, 4), "", ...shown(`clew run approve ${bead}`, 0)];
  write("run.svg", drawWindow(session.map(readColors), { title: "clew run", columns }));
  write("session.svg", drawWindow(colorMarkdown(sessionText()), { title: "session.md", columns }));
} finally {
  rmSync(place, { recursive: true, force: true });
}

/** A command line and what it prints, as in a terminal of this width. @param {string} line @param {number} code */
function shown(line, code) {
  const output = clew(line.split(" ").slice(1), { FORCE_COLOR: "1", CLEW_WIDTH: String(columns) }, code);
  return [`\u001b[2m$\u001b[22m ${line}`, ...output.trimEnd().replaceAll(repo, "~/shop").split("\n")];
}

/** @param {string[]} args @param {Record<string, string>} [env] */
function clew(args, env = { NO_COLOR: "1" }, code = 0) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: repo,
    encoding: "utf8",
    env: { ...process.env, XDG_CONFIG_HOME: join(place, "config"), ...env },
  });
  if (status !== code) throw new Error(`clew ${args.join(" ")} exited ${status}: ${stderr}`);
  return stdout;
}

/** The demo's first session, without its frontmatter and without the comments that a page does not show. */
function sessionText() {
  const folder = join(repo, ".clew/sessions");
  const [id = ""] = readdirSync(folder).filter((name) => name.includes("login"));
  const text = readFileSync(join(folder, id, "session.md"), "utf8");
  const body = text.slice(text.indexOf("\n---\n") + 5).trim();
  return body
    .split("\n")
    .filter((line) => !line.startsWith("<!--"))
    .slice(0, 24);
}

/** @param {string} name @param {string} svg */
function write(name, svg) {
  writeFileSync(join(pictures, name), svg);
  console.log(`docs/pictures/${name}: ${svg.length} bytes`);
}
