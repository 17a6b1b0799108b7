// Starts a program that prints lines, bare or as an agent, and prints the milliseconds until it has ended.
//   node engine-agent.mjs PARTS-FILE FOLDER bare|agent COMMAND…
import { spawn } from "node:child_process";
import { pathToFileURL } from "node:url";

const [partsFile = "", folder = "", what = "", ...command] = process.argv.slice(2);
/** @type {typeof import("../parts.ts")} */
const parts = await import(pathToFileURL(partsFile).href);
const { claudeConversation, createRedactor, engineAgents, nodeDisk, scriptedEngine, transcriptFiles } = parts;
const prompt = "Do it.";
/** @type {ReturnType<typeof scriptedEngine>} */
const engine = {
  ...scriptedEngine(""),
  start: () => ({ command }),
  converse: (_, write) => claudeConversation({ prompt }, write),
};

function runBare() {
  const child = spawn(/** @type {string} */ (command[0]), command.slice(1), {
    cwd: folder,
    stdio: ["pipe", "pipe", "ignore"],
  });
  claudeConversation({ prompt }, (text) => void child.stdin.write(text)).begin();
  child.stdin.end();
  child.stdout.resume();
  return new Promise((resolve) => child.once("close", resolve));
}

async function runAgent() {
  const agents = engineAgents({
    engines: [engine],
    redactor: createRedactor({}),
    transcripts: transcriptFiles(folder, nodeDisk, () => Date.now()),
    env: process.env,
    newId: () => "agent",
  });
  const { done } = agents.run({
    engine: engine.name,
    task: { prompt, level: "work", until: "answer" },
    place: { folder, env: {}, mark: `bench-${process.pid}` },
    settings: { script: null },
    signal: new AbortController().signal,
    transcript: { owner: "bench", label: "agent" },
    listeners: { onStarted() {}, onEvent() {}, onStderr() {} },
  });
  const { outcome, verdict } = await done;
  if (outcome !== "completed") throw new Error(JSON.stringify(verdict));
}

const startMs = performance.now();
await (what === "bare" ? runBare() : runAgent());
process.stdout.write(String(performance.now() - startMs));
