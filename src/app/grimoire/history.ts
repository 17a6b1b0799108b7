import type { AddedHistory } from "../../contract/api/grimoire.ts";
import type { RunDetails, RunsApi } from "../../contract/api/run.ts";
import { ClewError } from "../../contract/errors.ts";
import type { Redacted, Redact } from "../../contract/redacted.ts";
import { grimoireLimits } from "../../contract/grimoire-schema.ts";
import { fenceKinds, type FenceBlock } from "../../grimoire/markup/document.ts";
import { nodesOf, stepNameOf } from "../../grimoire/markup/nodes.ts";
import { readMarkup } from "../../grimoire/markup/read-markup.ts";
import { canonicalText } from "../../grimoire/markup/write-markup.ts";
import { utf8Length } from "../../session/text.ts";
import { executionBlock, executionInBlock, executionOf } from "./execution-block.ts";
import { grimoireNameIn, isMarkup } from "./read-file.ts";

export interface HistoryParts {
  runs: () => Promise<Pick<RunsApi, "show">>;
  /**
   * Appends to a file that is there, in one replacement; the rest stays byte for byte. `addition` gets the text, and is asked again
   * when another program changed the file meanwhile; an empty one changes nothing.
   */
  append: (file: string, addition: (text: string) => Redacted<string>) => Promise<void>;
  redact: () => Promise<Redact>;
}

/** Appends past executions to a workflow, each once. Throws, with nothing written, when one of the runs goes on or was one of another workflow. */
export async function addHistory(
  parts: HistoryParts,
  { file, runs: names }: { file: string; runs: string[] },
): Promise<AddedHistory> {
  if (!isMarkup({ file })) {
    const hint = "clew grimoire convert FILE makes markup of a grimoire in YAML";
    throw new ClewError("invalid_input", `${file} is no workflow in markup (.md)`, hint);
  }
  const redact = await parts.redact();
  // What is wrong with the file is told before what is wrong with the runs.
  await parts.append(file, () => redact(""));
  const runs = await runsNamed(parts, names);
  let answer: AddedHistory = { file, added: [], known: [] };
  await parts.append(file, (text) => {
    const known = new Set(historyIn(text).map(executionInBlock));
    const fresh = runs.filter((run) => !known.has(executionOf(run)));
    for (const run of fresh) refuseOther(run, text, file);
    answer = {
      file,
      added: fresh.map(({ id }) => id),
      known: runs.filter((run) => !fresh.includes(run)).map(({ id }) => id),
    };
    return redact(additionTo(text, file, fresh.map(executionBlock)));
  });
  return answer;
}

/** Nothing happens in such a run by itself. What a person has it do next is an execution of its own. */
const recordable: ReadonlySet<RunDetails["status"]> = new Set(["completed", "failed", "blocked", "cancelled"]);

async function runsNamed(parts: HistoryParts, names: string[]): Promise<RunDetails[]> {
  const { show } = await parts.runs();
  const runs = new Map<string, RunDetails>();
  for (const name of names) {
    const { run } = await show({ run: name });
    if (!recordable.has(run.status)) {
      const hint = `clew run show ${run.id} tells how it stands`;
      throw new ClewError("not_possible_now", `run ${run.id} is not over: it is ${run.status}`, hint);
    }
    runs.set(run.id, run);
  }
  return [...runs.values()];
}

/** A run belongs to a file with the nodes that it had, whatever that is called by now, or with its name and the nodes that it came to. */
function refuseOther({ id, grimoire, outline, steps }: RunDetails, text: string, file: string): void {
  const nodes = new Set(nodesOf(readMarkup(text).blocks).nodes.map(stepNameOf));
  const had = new Set(outline.map(({ path }) => path));
  if (had.size === nodes.size && [...had].every((each) => nodes.has(each))) return;
  const name = grimoireNameIn({ origin: "file", file, text });
  const hint = "clew run list shows the runs, each with its grimoire";
  if (grimoire !== name)
    throw new ClewError("invalid_input", `run ${id} was one of ${grimoire}, and ${file} is ${name}`, hint);
  const others = [...new Set(steps.map(({ path }) => path))].filter((each) => !nodes.has(each));
  if (others.length === 0) return;
  throw new ClewError("invalid_input", `run ${id} had nodes that ${file} has not: ${others.join(", ")}`, hint);
}

/** Blocks for the end of a text, with line ends like its own. */
function additionTo(text: string, file: string, blocks: FenceBlock[]): string {
  if (blocks.length === 0) return "";
  const separator = text === "" || text.endsWith("\n") ? "" : "\n";
  const written = separator + blocks.map((block) => `\n${canonicalText(block)}`).join("");
  const addition = /\r\n/.test(text.slice(0, 10_000)) ? written.replaceAll("\n", "\r\n") : written;
  if (utf8Length(text) + utf8Length(addition) > grimoireLimits.bytes) {
    throw new ClewError("invalid_input", `${file} would become larger than 1 MiB`, "take old executions out of it");
  }
  // In an open code block it would be part of that.
  if (historyIn(text + addition).length !== historyIn(text).length + blocks.length) {
    const hint = `clew grimoire validate ${file} tells what is wrong`;
    throw new ClewError("invalid_grimoire", `${file} ends inside a code block or its frontmatter`, hint);
  }
  return addition;
}

function historyIn(text: string): FenceBlock[] {
  return readMarkup(text).document.blocks.flatMap((block) =>
    block.kind === "fence" && block.info === fenceKinds.history ? [block] : [],
  );
}
