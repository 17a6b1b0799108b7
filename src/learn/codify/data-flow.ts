import type { PhaseWork } from "./phase-work.ts";

/** What one step gives and a later one takes. */
export interface Flow {
  from: number;
  to: number;
  /** A file that was written and then read, or a name that was printed and then used. */
  what: string;
}

/** Names that a tool makes up: letters and a digit, so that no word of a language is one. */
const madeName = /[A-Za-z0-9_][\w.-]{4,80}/g;
const hasBoth = (word: string): boolean => /\d/.test(word) && /[A-Za-z]/.test(word);

/** So many flows into one step are told. */
const mostFlows = 12;

/** What goes from step to step, each by the phases that it stands for. Linear in what they say. */
export function dataFlow(steps: readonly (readonly PhaseWork[])[]): Flow[] {
  const writers = new Map<string, number>();
  /** By name, the step that printed it first; null when it was known before. */
  const printers = new Map<string, number | null>();
  return steps.flatMap((phases, to) => {
    const into = new Map<string, Flow>();
    const take = (what: string, from: number | null | undefined): void => {
      if (from === undefined || from === null || from === to || into.size >= mostFlows || into.has(what)) return;
      into.set(what, { from, to, what });
    };
    for (const { read, wrote, calls } of phases) {
      for (const file of [...read, ...wrote]) take(file, writers.get(file));
      for (const { args, result = "" } of calls) {
        for (const name of namesIn(args)) {
          if (!printers.has(name)) printers.set(name, null);
          else take(name, printers.get(name));
        }
        for (const name of namesIn(result)) if (!printers.has(name)) printers.set(name, to);
      }
    }
    for (const { wrote } of phases) for (const file of wrote) writers.set(file, to);
    return [...into.values()];
  });
}

/** Of long args only the beginning: what is written into a file says nothing of where it comes from. */
const lookedChars = 1000;

function* namesIn(text: string): Generator<string> {
  for (const [name] of text.slice(0, lookedChars).matchAll(madeName)) if (hasBoth(name)) yield name;
}
