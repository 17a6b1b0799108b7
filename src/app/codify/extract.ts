import type { CodifiedText } from "../../contract/api/codify.ts";
import type { CodifyFormat } from "../../contract/codify-values.ts";
import { ClewError } from "../../contract/errors.ts";
import type { SessionDocument } from "../../contract/session.ts";
import { redactValue } from "../../redact/redact-value.ts";
import type { Codified } from "../../learn/codify/codified.ts";
import { codifyRun } from "../../learn/codify/codify-run.ts";
import { codifySession } from "../../learn/codify/codify-session.ts";
import { commonOf } from "../../learn/codify/common-steps.ts";
import { disableRedacted } from "../../learn/codify/disable-redacted.ts";
import type { SpellText } from "../../learn/codify/missing-names.ts";
import { landsNothing } from "../../learn/codify/land-work.ts";
import { bringUpToDate } from "../session/open-sessions.ts";
import { showSession } from "../session/show.ts";
import { checkText } from "./check-text.ts";
import type { CodifyParts } from "./parts.ts";
import { findSession } from "./find-session.ts";
import { nameIn, writeCodified } from "./write-codified.ts";

interface WantedForm {
  format?: CodifyFormat | undefined;
  name?: string | undefined;
}

/** A workflow of what these sessions did, checked as any other; of several, what they have in common. */
export async function extract(
  parts: CodifyParts,
  names: string[],
  { format = "grimoire", name }: WantedForm,
): Promise<CodifiedText> {
  if (names.length === 0) throw new ClewError("invalid_input", "no session is named", "clew session codify latest");
  const sessions: string[] = [];
  const taken: string[] = [];
  for (const each of names) {
    const id = await findSession(parts, each, (note) => taken.push(note));
    if (sessions.includes(id)) throw namedTwice(id);
    sessions.push(id);
  }
  await bringUpToDate(parts.sessions);
  const all: Codified[] = [];
  for (const id of sessions) all.push(await codifyOne(parts, id));
  const redact = await parts.sessions.redact();
  const spellText: SpellText = (spell) => {
    const file = spellNames(spell).flatMap((each) => parts.grimoires.files.spell(each) ?? [])[0];
    return file && redact(file.text);
  };
  const common = commonOf(all, spellText);
  if (!common) throw nothingInCommon(sessions);
  // What a map holds is looked at only as a list.
  const listed = { ...common, channels: [...common.channels] };
  const { grimoire, channels, notes } = redactValue(listed, redact);
  const named = name === undefined ? grimoire : { ...grimoire, name };
  const safe = disableRedacted(named, (note) => notes.push(note), spellText);
  notes.unshift(...taken);
  const warning = landsNothing(safe, format);
  if (warning !== undefined) notes.unshift(warning);
  const codified = { grimoire: safe, channels: new Map(channels), notes };
  const text = writeCodified(codified, format, (note) => notes.push(note), spellText);
  const { problems, valid } = await checkText(parts, format, text);
  return { format, sessions, name: nameIn(safe, format), text, notes, problems, valid };
}

/** The files that a spell may stand in, as a step names it. */
function spellNames(spell: string): string[] {
  return spell.endsWith(".md") ? [spell] : [`${spell}.md`, spell];
}

/** A run's journal has the templates and handlers that its session lacks. */
async function codifyOne(parts: CodifyParts, id: string): Promise<Codified> {
  const document = await showSession(parts.sessions, id, true);
  const { run, kind } = document.frontmatter;
  if (kind === "run" && typeof run === "string") {
    const store = await parts.runs();
    if (store.exists(run)) return codifyJournal(parts, store, run);
  }
  // Texts are cut below: a half of a secret would no longer be known as one.
  const redacted = redactValue(document, await parts.sessions.redact());
  const codified = await codifyDocument(parts, redacted);
  if (!codified) {
    throw new ClewError(
      "not_possible_now",
      `nothing was done in ${id} that a workflow could do again`,
      "log tool calls, decisions or a user's words into it, or name another session",
    );
  }
  if (kind === "run")
    codified.notes.unshift(`the journal of the run ${String(run)} is not here: this is from session.md alone`);
  return codified;
}

function codifyJournal(
  { grimoires }: CodifyParts,
  store: Awaited<ReturnType<CodifyParts["runs"]>>,
  run: string,
): Codified {
  const lines = store.lines(run);
  const codified = codifyRun(journalLines(lines), (file) => grimoires.files.spell(file)?.text);
  if (codified) return codified;
  throw new ClewError("damaged_run", `the journal of ${run} does not say what was started`, "clew doctor tells more");
}

function* journalLines<T>(lines: Iterable<{ line: T }>): Generator<T> {
  for (const { line } of lines) yield line;
}

async function codifyDocument(parts: CodifyParts, document: SessionDocument): Promise<Codified | undefined> {
  const { bead } = document.frontmatter;
  return codifySession(document, {
    folders: parts.folders,
    bead: typeof bead === "string" ? await parts.bead(bead) : undefined,
    toAscii: await parts.sessions.ground.toAscii(),
  });
}

function namedTwice(id: string): ClewError {
  return new ClewError(
    "invalid_input",
    `${id} is named twice: what a session has in common with itself is all of it`,
    "name it once, or name other sessions beside it",
  );
}

function nothingInCommon(sessions: string[]): ClewError {
  return new ClewError(
    "not_possible_now",
    `${sessions.join(", ")} have no step in common`,
    "codify one of them, or name sessions of the same kind of work",
  );
}
