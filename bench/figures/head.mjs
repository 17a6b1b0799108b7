import { appendFileSync, readFileSync } from "node:fs";
import { grouped } from "../lib/bench.mjs";
import { ratioRow } from "../lib/rows.mjs";
import { sessionsOf } from "../lib/sessions.mjs";
import { takeTurns } from "../lib/timing.mjs";

const changedAtOnce = 10;

/**
 * The first `session list` after something moved: printed apart, because every question pays for it once.
 * @param {import("../lib/bench.mjs").Bench} bench
 */
export async function head(bench) {
  const { program, sizes } = bench;
  const { repository } = await bench.sessions(sizes.many);
  const ids = [...sessionsOf(bench.parts, sizes.few, sizes.sessionBytes)];
  let round = 0;
  /** @param {() => unknown} change */
  const listAfter = async (change) => {
    await change();
    const startMs = performance.now();
    repository.clew("session", "list");
    return performance.now() - startMs;
  };
  const known = JSON.parse(repository.clew("session", "list", "--limit", "60", "--json").toString()).sessions.slice(
    -changedAtOnce,
  );
  const timing = await takeTurns(sizes.fewRounds, {
    node: () => program.nothing(),
    unrelated: () => listAfter(() => repository.commitOther(`commit ${round++}\n`)),
    changed: () => listAfter(() => changeAndCommit(repository, known)),
    started: () => listAfter(() => repository.start(`Started ${round++}`)),
    added: () => listAfter(() => addOutside(round++)),
  });
  const after = `session list among ${grouped(sizes.many)}, first after`;
  return [
    ratioRow(`${after} a commit without sessions / node -e 0`, timing.unrelated, timing.node),
    ratioRow(`${after} a commit that changed ${changedAtOnce} / node -e 0`, timing.changed, timing.node),
    ratioRow(`${after} one was started / node -e 0`, timing.started, timing.node),
    ratioRow(`${after} one was copied in / node -e 0`, timing.added, timing.node),
  ];

  /** @param {number} number */
  function addOutside(number) {
    const session = ids[number % ids.length];
    if (session)
      repository.write({
        id: `${session.id}-copied-${number}`,
        text: session.text.replaceAll(session.id, `${session.id}-copied-${number}`),
      });
  }
}

/**
 * @param {import("../lib/repository.mjs").Repository} repository
 * @param {{ session_id: string }[]} sessions
 */
async function changeAndCommit(repository, sessions) {
  const changed = sessions.map(({ session_id: id }) => {
    appendFileSync(repository.pathOf(id), "\n> [!decision]\n> One more.\n");
    return { id, text: readFileSync(repository.pathOf(id), "utf8") };
  });
  await repository.add(changed);
}
