import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { plainRow, ratioRow } from "../lib/rows.mjs";
import { median, takeTurns } from "../lib/timing.mjs";

/** @param {string} name */
const probe = (name) => fileURLToPath(new URL(`../probes/${name}.mjs`, import.meta.url));
const sample = new URL("../../test/fixtures/engines/claude.stream.jsonl", import.meta.url);
const linesPerSecond = 20_000;

/** Streams of engines: reading one, starting an agent, recording one that prints fast. @param {import("../lib/bench.mjs").Bench} bench */
export async function engine(bench) {
  const { program, place, partsFile, sizes } = bench;
  const transcript = writeTranscript(join(place.root, "transcript.jsonl"), sizes.transcriptBytes);
  /** @param {string} what @returns {{ ms: number, peakMb: number }} */
  const read = (what) =>
    JSON.parse(program.node(place.root, [probe("engine-stream"), partsFile, transcript.file, what]).toString());
  /** @type {number[]} */
  const peaks = [];
  const { parse, normalise } = await takeTurns(sizes.fewRounds, {
    parse: () => read("parse").ms,
    normalise: () => {
      const { ms, peakMb } = read("normalise");
      peaks.push(peakMb);
      return ms;
    },
  });
  const folder = place.folder("agents");
  /** @param {string} what @param {string[]} command */
  const run = (what, command) =>
    Number(program.node(place.root, [probe("engine-agent"), partsFile, folder, what, ...command]));
  const result = JSON.stringify({ type: "result", is_error: false, result: "done" });
  const atOnce = [process.execPath, "-e", `console.log(${JSON.stringify(result)})`];
  const paced = [process.execPath, probe("paced-engine"), String(linesPerSecond), String(sizes.pacedSeconds)];
  const starts = await takeTurns(sizes.rounds, { bare: () => run("bare", atOnce), agent: () => run("agent", atOnce) });
  const streams = await takeTurns(sizes.fewRounds, {
    bare: () => run("bare", paced),
    agent: () => run("agent", paced),
  });
  const mb = Math.round(transcript.bytes / 1e6);
  return [
    ratioRow(`normalising a transcript of ${mb} MB / JSON.parse of its lines`, normalise, parse, { atMost: 2 }),
    plainRow("memory of that", { value: median(peaks), unit: "MB", atMost: 150 }),
    ratioRow("starting an agent until it has ended / its program bare", starts.agent, starts.bare, { atMost: 1.2 }),
    ratioRow(
      `an engine that prints ${linesPerSecond} lines/s, recorded / read and dropped`,
      streams.agent,
      streams.bare,
      {
        atMost: 1.1,
      },
    ),
  ];
}

/** Lines that the real program printed, over and over, each time with other ids. @param {string} file @param {number} bytes */
function writeTranscript(file, bytes) {
  const parts = readFileSync(sample, "utf8").split(/((?:msg|toolu)_\w+|"request_id":"[\w-]+)/);
  /** @param {number} at */
  const copy = (at) => parts.map((part, index) => (index % 2 === 0 ? part : `${part}${at}`)).join("");
  const fd = openSync(file, "w");
  let written = 0;
  for (let copies = 0; written < bytes; copies += 100) {
    written += writeSync(fd, Array.from({ length: 100 }, (_, at) => copy(copies + at)).join(""));
  }
  closeSync(fd);
  return { file, bytes: written };
}
