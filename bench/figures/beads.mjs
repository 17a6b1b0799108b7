import { fileURLToPath } from "node:url";
import { claimAll } from "../lib/claimers.mjs";
import { writeBeads } from "../lib/beads.mjs";
import { grouped } from "../lib/bench.mjs";
import { plainRow, ratioRow } from "../lib/rows.mjs";
import { afterStart, takeTurns } from "../lib/timing.mjs";

const probe = fileURLToPath(new URL("../probes/claims.mjs", import.meta.url));
const atMost = 1.5;
const claimers = 8;

/** What one bead among many costs, through the program and in it. @param {import("../lib/bench.mjs").Bench} bench */
export async function beads(bench) {
  const { program, partsFile, place, sizes } = bench;
  const repository = bench.repository("beads");
  const { openIds, bytes } = writeBeads(repository.folder, sizes.beads);
  bench.say(`${grouped(sizes.beads)} beads, ${(bytes / 1e6).toFixed(1)} MB`);
  bench.settle();

  // Each time another one, from all over the file.
  let taken = 0;
  const openId = () => openIds[(taken++ * 617) % openIds.length] ?? "";
  const { node, version, claim, ...works } = await takeTurns(sizes.rounds, {
    node: () => program.nothing(),
    version: () => void program.clew(program.folder, "--version"),
    status: () => void repository.clew("bead", "update", openId(), "--status", "in_progress"),
    notes: () => void repository.clew("bead", "update", openId(), "--notes", "Seen again today."),
    create: () => void repository.clew("bead", "create", "One more thing to do", "-t", "bug"),
    show: () => void repository.clew("bead", "show", openId()),
    ready: () => void repository.clew("bead", "ready", "--json"),
    claim: () => Number(program.node(repository.folder, [probe, partsFile, repository.folder, "one", openId()])),
  });
  /** @param {string} name @param {import("../lib/timing.mjs").Timing} timing @param {import("../lib/rows.mjs").Mark} [mark] */
  const row = (name, timing, mark) =>
    ratioRow(
      `${name}, one among ${grouped(sizes.beads)}, after start / node -e 0`,
      afterStart(timing, version),
      node,
      mark,
    );

  bench.settle();
  const claimed = await claimAll({ program, place, partsFile, probe, claimers, beads: sizes.claimedBeads });
  return [
    row("bead update --status in_progress", works.status, { atMost }),
    ratioRow(`claiming one for a run among ${grouped(sizes.beads)} / node -e 0`, claim, node, { atMost }),
    row("bead update --notes", works.notes),
    row("bead create", works.create),
    row("bead show", works.show),
    ratioRow(
      `bead ready --json of ${grouped(sizes.beads)}, after start / node -e 0`,
      afterStart(works.ready, version),
      node,
    ),
    plainRow(`${claimers} processes claiming ${grouped(sizes.claimedBeads)} beads, each once`, {
      value: sizes.claimedBeads / (claimed.tookMs / 1000),
      unit: "beads/s",
    }),
  ];
}
