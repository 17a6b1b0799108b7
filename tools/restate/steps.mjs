// A Restate server of its own and a handler of so many steps that do nothing; prints milliseconds per step of each round.
//   node steps.mjs FOLDER ROUNDS STEPS
import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const [folder = "", rounds = "5", steps = "200"] = process.argv.slice(2);
const startLimitMs = 60_000;

// The SDK wants a function that Node 20 does not have yet.
Promise.withResolvers ??= () => {
  /** @type {any} */
  const parts = {};
  parts.promise = new Promise((resolve, reject) => Object.assign(parts, { resolve, reject }));
  return parts;
};
process.env["RESTATE_LOGGING"] = "ERROR";
const restate = await import("@restatedev/restate-sdk");

const service = restate.service({
  name: "bench",
  handlers: {
    /** @param {import("@restatedev/restate-sdk").Context} context */
    run: async (context) => {
      for (let at = 0; at < Number(steps); at++) await context.run(`step-${at}`, () => "done");
    },
  },
});

const [ingress, admin, node, own] = await freePorts(4);
const server = startServer();
let code = 0;
try {
  await restate.serve({ services: [service], port: own });
  const deadlineMs = performance.now() + startLimitMs;
  while (!(await isReady())) {
    if (performance.now() > deadlineMs || server.exitCode !== null) throw new Error("Restate did not start");
    await sleep(200);
  }
  await post(`http://127.0.0.1:${admin}/deployments`, { uri: `http://127.0.0.1:${own}` });
  /** @type {number[]} */
  const stepMs = [];
  for (let round = -1; round < Number(rounds); round++) {
    const startMs = performance.now();
    await post(`http://127.0.0.1:${ingress}/bench/run`, undefined);
    if (round >= 0) stepMs.push((performance.now() - startMs) / Number(steps));
  }
  process.stdout.write(`${JSON.stringify({ stepMs })}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  code = 1;
} finally {
  server.kill("SIGKILL");
}
process.exit(code);

function startServer() {
  const { resolve } = createRequire(import.meta.url);
  const program = join(
    resolve(`@restatedev/restate-server-${process.platform}-${process.arch}/package.json`),
    "..",
    "bin/restate-server",
  );
  const env = {
    ...process.env,
    RESTATE_BASE_DIR: folder,
    RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
    RESTATE_ADVERTISED_ADDRESS: `http://127.0.0.1:${node}`,
    RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
    RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
    RESTATE_AUTO_PROVISION: "true",
    RESTATE_DISABLE_TELEMETRY: "true",
    RESTATE_LOG_FILTER: "error",
  };
  return spawn(program, ["--node-name", "bench"], { env, stdio: "ignore" });
}

async function isReady() {
  try {
    const [one, two] = await Promise.all([
      fetch(`http://127.0.0.1:${ingress}/restate/health`),
      fetch(`http://127.0.0.1:${admin}/health`),
    ]);
    return one.ok && two.ok;
  } catch {
    return false;
  }
}

/**
 * @param {string} url
 * @param {object | undefined} body
 */
async function post(url, body) {
  const answer = await fetch(url, {
    method: "POST",
    ...(body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${text}`);
}

/** @param {number} count */
async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((each) => new Promise((done) => each.once("listening", done))));
  const ports = servers.map((each) => {
    const address = each.address();
    return typeof address === "object" && address ? address.port : 0;
  });
  await Promise.all(servers.map((each) => new Promise((done) => each.close(done))));
  return ports;
}
