import type { Entry, Frontmatter, Phase, SessionDocument, Task } from "../contract/session.ts";
import type { Item, PhaseItem } from "./items.ts";

/** Folds the items of a body into what `session show --json` prints. */
export function toDocument(frontmatter: Frontmatter, items: Item[]): SessionDocument {
  const phases: Phase[] = [];
  const ids = new PhaseIds(items);
  const preamble: string[] = [];
  const summaries: string[] = [];
  let tasks: Task[] = [];
  const add = (entry: Entry): void => {
    if (phases.length === 0) phases.push(impliedStart(frontmatter));
    phases.at(-1)!.entries.push(entry);
  };
  for (const item of items) {
    if (item.kind === "phase") phases.push(toPhase(item, ids.next(item)));
    else if (item.kind === "tasks") tasks = item.tasks;
    else if (item.kind === "summary") summaries.push(item.text.trim());
    else if (item.kind === "note" && phases.length === 0) preamble.push(item.text);
    else if (item.kind !== "title") add(item);
  }
  return {
    frontmatter,
    tasks,
    phases,
    ...(preamble.length > 0 && { preamble: preamble.join("\n\n") }),
    ...(summaries.length > 0 && { summary: summaries.join("\n\n") }),
  };
}

function toPhase(item: PhaseItem, id: string): Phase {
  return {
    id,
    title: item.title,
    agent: item.agent ?? null,
    channel: item.channel ?? null,
    started: item.mark?.at ?? null,
    ...(item.mark?.commit !== undefined && { commit: item.mark.commit }),
    entries: [],
  };
}

/** Entries that a person moved above the first heading still belong somewhere. */
function impliedStart(frontmatter: Frontmatter): Phase {
  return { id: "phase-0", title: "Start", agent: null, channel: null, started: frontmatter.started, entries: [] };
}

/** Phases that a person wrote have no comment: they are numbered by their place, without taking an id in use. */
class PhaseIds {
  readonly #items: Item[];
  #used: Set<string> | undefined;
  #count = 0;

  constructor(items: Item[]) {
    this.#items = items;
  }

  next(item: PhaseItem): string {
    this.#count++;
    if (item.mark) return item.mark.id;
    this.#used ??= new Set(this.#items.flatMap((each) => (each.kind === "phase" && each.mark ? [each.mark.id] : [])));
    let id = `phase-${this.#count}`;
    while (this.#used.has(id)) id += "b";
    this.#used.add(id);
    return id;
  }
}
