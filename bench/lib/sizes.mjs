/**
 * How much is measured. Those of a quick run only show that everything works.
 * @typedef {ReturnType<typeof sizesOf>} Sizes
 */

/** @param {boolean} quick */
export function sizesOf(quick) {
  return quick
    ? {
        few: 20,
        some: 100,
        many: 400,
        sessionBytes: 5_000,
        importedBytes: 10_000_000,
        importedBytesEach: 100_000,
        shortEntries: 20,
        longEntries: 400,
        batchEntries: 1000,
        parseBytes: 2_000_000,
        transcriptBytes: 50_000_000,
        importBytes: 20_000_000,
        pacedSeconds: 1,
        showBytes: 500_000,
        rounds: 3,
        fewRounds: 2,
        lines: 20,
        steps: 500,
        scriptSteps: 10,
        waitingRuns: 20,
        runs: 500,
        eventClients: 20,
        journalLines: 4000,
        beads: 1000,
        claimedBeads: 100,
        changedFiles: 200,
        neededBytes: 200e6,
      }
    : {
        few: 100,
        some: 1000,
        many: 100_000,
        sessionBytes: 10_100,
        importedBytes: 200_000_000,
        importedBytesEach: 300_000,
        shortEntries: 100,
        longEntries: 20_000,
        batchEntries: 50_000,
        parseBytes: 24_000_000,
        transcriptBytes: 1_000_000_000,
        importBytes: 1_000_000_000,
        pacedSeconds: 5,
        showBytes: 5_000_000,
        rounds: 31,
        fewRounds: 7,
        lines: 300,
        steps: 10_000,
        scriptSteps: 200,
        waitingRuns: 200,
        runs: 10_000,
        eventClients: 200,
        journalLines: 100_000,
        beads: 10_000,
        claimedBeads: 1000,
        changedFiles: 2000,
        neededBytes: 8e9,
      };
}
