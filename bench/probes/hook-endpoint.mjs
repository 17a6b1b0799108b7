// Serves hooks on loopback until stdin ends, and prints where: bare, bare with each body on disk, or as the process does that drives an agent.
//   node hook-endpoint.mjs PARTS-FILE FOLDER bare|disk|desk
import { closeSync, fdatasync, openSync, writeSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [partsFile = "", folder = "", what = ""] = process.argv.slice(2);
/** @param {{ url: string, token: string }} server */
const tell = (server) => process.stdout.write(`${JSON.stringify(server)}\n`);
const ended = new Promise((resolve) => process.stdin.resume().once("end", resolve));

async function serveBare() {
  const fd = what === "disk" ? openSync(join(folder, "floor"), "a") : undefined;
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (part) => (text += part));
    request.on("end", () => {
      const answer = () => response.writeHead(200, { "content-type": "application/json" }).end("{}");
      if (fd === undefined) return answer();
      writeSync(fd, `${text}\n`);
      fdatasync(fd, answer);
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  tell({
    url: `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}/`,
    token: "",
  });
  await ended;
  server.closeAllConnections();
  server.close();
  if (fd !== undefined) closeSync(fd);
}

async function serveDesk() {
  /** @type {typeof import("../parts.ts")} */
  const parts = await import(pathToFileURL(partsFile).href);
  const { AgentHookDesk, createRedactor, HttpHookEndpoints, openEvidence, SharedServer } = parts;
  const desk = new AgentHookDesk(
    {
      redactor: createRedactor({}),
      endpoints: async () => new HttpHookEndpoints(new SharedServer()),
      openEvidence: (owner) => openEvidence({ root: folder, commonDir: join(folder, ".git") }, owner),
      noteFault(fault) {
        throw new Error(fault.what);
      },
      now: () => new Date(),
    },
    { engine: "claude", folder, caller: { owner: "bench", step: "build#1" }, onHook: undefined },
  );
  await desk.whileOpen(async (server) => {
    if (!server) throw new Error("no port");
    tell(server);
    await ended;
  });
}

await (what === "desk" ? serveDesk() : serveBare());
