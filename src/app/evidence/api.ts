import type { Evidence, EvidenceApi, EvidenceList } from "../../contract/api/evidence.ts";
import { ClewError } from "../../contract/errors.ts";
import type { EvidenceCall } from "../../contract/evidence.ts";
import { cursorAt, readCursor } from "../../contract/page.ts";
import type { EvidenceFiles } from "./ports.ts";
import { sessionCalls } from "./session-calls.ts";

interface Parts {
  files: EvidenceFiles;
  /** The id of the run that a name means. Throws when there is none. */
  findRun: (name: string) => Promise<string>;
}

interface Wanted {
  run?: string | undefined;
  session?: string | undefined;
  step?: string | undefined;
  tree?: string | undefined;
  limit?: number | undefined;
  after?: string | undefined;
}

export function evidenceApi({ files, findRun }: Parts): EvidenceApi {
  return {
    list: (wanted) => list({ files, findRun }, wanted),
    async show({ evidence: id }) {
      const owner = id.slice(0, Math.max(0, id.lastIndexOf("/")));
      const evidence = callsOf(files, owner).find((each) => each.id === id);
      if (evidence) return { evidence };
      throw new ClewError("unknown_evidence", `there is no evidence ${id}`, "clew evidence list shows what there is");
    },
  };
}

async function list(
  { files, findRun }: Parts,
  { run, limit = Infinity, after, ...wanted }: Wanted,
): Promise<EvidenceList> {
  const [lastOwner, lastCall = ""] = after === undefined ? [] : readCursor(after, 2);
  const owners = run === undefined ? files.owners() : [await findRun(run)];
  const first = lastOwner === undefined ? 0 : Math.max(0, owners.indexOf(lastOwner));
  const evidence: Evidence[] = [];
  let last: [owner: string, call: string] | undefined;
  for (const owner of owners.slice(first)) {
    const calls = callsOf(files, owner).filter((call) => isWanted(call, wanted));
    const start = owner === lastOwner ? calls.findIndex(({ id }) => id === lastCall) + 1 : 0;
    for (const call of calls.slice(start)) {
      if (last && evidence.length >= limit) return { evidence, next: cursorAt(...last) };
      evidence.push(call);
      last = [owner, call.id];
    }
  }
  return { evidence };
}

/** Of a run, what its gates see; of a work session or a talk, what its hooks told. */
function callsOf(files: EvidenceFiles, owner: string): Evidence[] {
  const calls = files.calls(owner);
  return calls.length > 0 ? calls.map(withoutForm) : sessionCalls(owner, files.hookLines(owner));
}

/** `implement`, or one attempt of it: `implement#2`. */
function isWanted(call: Evidence, { session, step, tree }: Pick<Wanted, "session" | "step" | "tree">): boolean {
  const isStep = step === undefined || call.step === step || `${call.step}#${call.attempt}` === step;
  const isTree = tree === undefined || (tree.length >= 4 && call.tree?.startsWith(tree) === true);
  return isStep && isTree && (session === undefined || call.session === session);
}

function withoutForm({ v: _, type: __, ...call }: EvidenceCall): Evidence {
  return call;
}
