import { grouped } from "../lib/bench.mjs";
import { plainRow, ratioRow } from "../lib/rows.mjs";
import { agents } from "../lib/sessions.mjs";
import { takeTurns } from "../lib/timing.mjs";

/** Questions that the index answers, on an unchanged tree. @param {import("../lib/bench.mjs").Bench} bench */
export async function list(bench) {
  const { program, sizes } = bench;
  const some = await bench.sessions(sizes.some);
  const many = await bench.sessions(sizes.many);
  const commands = /** @type {const} */ ({
    list: ["session", "list"],
    usual: ["session", "list", "--agent", agents.usual, "--json"],
    rare: ["session", "list", "--agent", agents.rare, "--json"],
    totals: ["session", "stats", "--by", "agent", "--json"],
  });
  const timing = await takeTurns(sizes.rounds, {
    node: () => program.nothing(),
    some: () => void some.repository.clew(...commands.list),
    list: () => void many.repository.clew(...commands.list),
    usual: () => void many.repository.clew(...commands.usual),
    rare: () => void many.repository.clew(...commands.rare),
    totals: () => void many.repository.clew(...commands.totals),
  });
  const among = `among ${grouped(sizes.many)}`;
  const inside = Object.values(commands).map((args) => program.clewInside(many.repository.folder, ...args));
  return [
    ratioRow(`session list among ${grouped(sizes.some)} / node -e 0`, timing.some, timing.node, { atMost: 1.6 }),
    ratioRow(`session list ${among} / node -e 0`, timing.list, timing.node, { atMost: 3 }),
    plainRow(`peak memory of session list ${among}`, { value: inside[0]?.peakMb ?? NaN, unit: "MB", atMost: 150 }),
    ratioRow(`by an agent in one of 50, ${among} / node -e 0`, timing.usual, timing.node, { atMost: 3 }),
    ratioRow(`by an agent in 5, ${among} / node -e 0`, timing.rare, timing.node, { atMost: 3 }),
    ratioRow(`totals by agent ${among} / node -e 0`, timing.totals, timing.node, { atMost: 3 }),
    plainRow(`most memory of these questions`, { value: Math.max(...inside.map((each) => each.peakMb)), unit: "MB" }),
    plainRow(`building the index of ${grouped(sizes.many)}`, { value: many.bytes / 1000 / many.indexMs, unit: "MB/s" }),
  ];
}
