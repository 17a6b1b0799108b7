import type { LearningCase, Piece } from "../../contract/api/learn.ts";
import type { CaseBasis } from "../../contract/learn-values.ts";
import { foldText } from "../../session/export/fold.ts";
import { plain, quote } from "../../session/export/plain-markdown.ts";
import { renderItem } from "../../session/render.ts";

const basisWords: Record<CaseBasis, string> = {
  passing_run: "the same call passed later",
  resolution: "the error says how it was resolved",
  user_words: "the user said it",
  action: "it was done at the user's words",
  next_entries: "the agent did this after the user's words",
};

/** A case as people read it. Entries stand as in session.md, so that nothing in them becomes markup. */
export function caseMarkdown(found: LearningCase): string {
  const { metadata, basis, open, omitted } = found;
  const { session, agent, model, engine, commit, outcome, tags, path } = metadata;
  const facts = [session, agent && `@${agent}`, model, engine, commit?.slice(0, 12), outcome, ...tags];
  const shown = facts
    .filter((fact) => fact !== null && fact !== undefined && fact !== "")
    .map((fact) => plain(String(fact)));
  const [title, parts] = partsOf(found);
  const lines = [
    `## ${title}: ${plain(metadata.title)}`,
    `${shown.join(" · ")}  \n${plain(`${path}:${lineOf(found)}`)}`,
  ];
  for (const [name, pieces] of parts)
    if (pieces.length > 0) lines.push(`### ${name}`, pieces.map(pieceText).join("\n\n"));
  const about = basis === null ? `Open: ${plain(open ?? "")}.` : `Shown by: ${basisWords[basis]}.`;
  const missing = omitted === 0 ? "" : ` ${omitted} entries in between are left out.`;
  return `${[...lines, `*${about}${missing}*`].join("\n\n")}\n`;
}

function partsOf(found: LearningCase): [string, [string, Piece[]][]] {
  if (found.type === "puzzle") {
    return [
      "Puzzle",
      [
        ["Context", found.context],
        ["Failure", found.failure],
        ["Expected", found.expected],
      ],
    ];
  }
  const { before, behaviour, words, expected, after } = found;
  return [
    "Correction",
    [
      ["Before", before],
      ["What the agent did", behaviour],
      ["What the user said", [words]],
      ["What is right", expected],
      ["After", after],
    ],
  ];
}

function lineOf(found: LearningCase): number {
  return (found.type === "puzzle" ? found.failure[0]! : found.words).line;
}

function pieceText({ line, entry }: Piece): string {
  const whole = entry.kind === "tool" && entry.result_full !== undefined ? `\n\n${quote(entry.result_full)}` : "";
  const fold = entry.kind === "tool" ? foldText(entry.args) : undefined;
  const short = fold && entry.kind === "tool" ? { ...entry, args: `${fold.first}\n${fold.more}` } : entry;
  return `Line ${line}\n\n${renderItem(short, "other").trim()}${whole}`;
}
