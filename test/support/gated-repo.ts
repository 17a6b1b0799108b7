import { join } from "node:path";
import type { Evidence } from "../../src/contract/api/evidence.ts";
import { MergeRepo } from "./merge-repo.ts";
import { showRun, type StepSource } from "./runs.ts";

/** The project's test: it fails while there is a file `broken.txt`. */
export const testScript = 'test ! -e broken.txt || { echo "1 test failed"; exit 1; }; echo "3 tests passed"';
export const npmTest = { match: "npm test" };
export const done = { result: { success: true, summary: "All tests pass." } };

export const edit = { write: { path: "new.txt", content: "new\n" } };
export const runsTests = { run: "npm test" };

/** A repository with a test script, in which an agent has to show that it ran the tests. */
export class GatedRepo extends MergeRepo {
  constructor(
    requires: object[],
    more: { before?: StepSource[]; merge?: Record<string, unknown>; scripts?: Record<string, string> } = {},
  ) {
    const implement = { name: "implement", type: "agent", spell: "Implement it.\n{{.bead.id}}\n", requires };
    super("true", { before: [...(more.before ?? []), implement], merge: more.merge ?? {} });
    this.put("package.json", `${JSON.stringify({ name: "x", scripts: more.scripts ?? { test: testScript } })}\n`);
    this.put("test.sh", `${testScript}\n`);
    this.put("sub/package.json", `${JSON.stringify({ name: "sub", scripts: { test: "true" } })}\n`);
    this.git("add", "--all");
    this.git("commit", "-q", "-m", "tests");
  }

  /** Has an agent do these turns. */
  async plays(...turns: object[]): Promise<{ code: number | null; run: Awaited<ReturnType<typeof showRun>> }> {
    const file = join(this.root, ".git/script.json");
    this.put(".git/script.json", JSON.stringify({ turns }));
    const { code } = await this.clewRun("start", [], { env: { CLEW_SCRIPT: file } });
    return { code, run: await showRun(this) };
  }

  async evidence(...words: string[]): Promise<Evidence[]> {
    return (await this.json<{ evidence: Evidence[] }>("evidence", "list", ...words)).evidence;
  }
}
