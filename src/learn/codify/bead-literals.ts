import type { Bead } from "../../contract/bead.ts";
import type { ScriptPiece } from "../../grimoire/shell/piece.ts";
import { placeHoles } from "../../grimoire/shell/place-holes.ts";
import { shellWord } from "../../text/shell-word.ts";
import { commandText } from "./plain-command.ts";

/** Shorter texts are found everywhere by chance. */
const leastChars = { id: 3, title: 6, description: 12 } as const;
type BeadField = keyof typeof leastChars;

type Piece = { text: string } | { field: BeadField };

/** Where texts say what the bead says: its title, id and description become variables, so that the next bead has its own. */
export class BeadLiterals {
  readonly #literals: { field: BeadField; text: string }[];

  constructor(bead: Bead | undefined) {
    const fields = ["description", "title", "id"] as const;
    this.#literals = fields.flatMap((field) => {
      const text = (bead?.[field] ?? "").trim();
      return text.length < leastChars[field] || text.includes("\n") ? [] : [{ field, text }];
    });
  }

  /** A text as a part of a template: what is no literal of the bead stays what it is. */
  inTemplate(text: string): string {
    return this.#piecesOf(text)
      .map((piece) => ("field" in piece ? `{{.bead.${piece.field}}}` : escapeTemplate(piece.text)))
      .join("");
  }

  /** A command of plain words, in which the literals are holes where a shell lets them be data. */
  inCommand([program, ...rest]: readonly string[]): string {
    const literal = commandText([program!, ...rest]);
    const words = rest.map((word) => this.#piecesOf(word));
    if (!words.some((pieces) => pieces.some((piece) => "field" in piece))) return literal;
    const source = (field: BeadField): string => `{{.bead.${field}}}`;
    const script: ScriptPiece[] = [{ kind: "text", text: shellWord(program!) }];
    for (const pieces of words) {
      script.push({ kind: "text", text: " " });
      for (const piece of pieces) {
        if ("field" in piece) script.push({ kind: "hole", id: script.length, source: source(piece.field) });
        else script.push({ kind: "text", text: shellWord(piece.text) });
      }
    }
    const { problems, unclear } = placeHoles(script);
    if (problems.length > 0 || unclear) return literal;
    return script.map((piece) => (piece.kind === "hole" ? piece.source : piece.text)).join("");
  }

  #piecesOf(text: string): Piece[] {
    let pieces: Piece[] = [{ text }];
    for (const literal of this.#literals) {
      pieces = pieces.flatMap((piece) => ("field" in piece ? [piece] : cutOut(piece.text, literal)));
    }
    return pieces;
  }
}

/** What makes a literal a part of a longer word. Ids may have dots and hyphens in them: `proj-1.2` is another bead than `proj-1`. */
const wordAround = { before: /[\p{L}\p{N}_]$/u, after: /^[\p{L}\p{N}_]/u } as const;
const idAround = { before: /[\p{L}\p{N}_][.-]*$/u, after: /^[.-]*[\p{L}\p{N}_]/u } as const;
/** So many characters on each side are looked at. */
const lookedChars = 20;

function cutOut(text: string, { field, text: literal }: { field: BeadField; text: string }): Piece[] {
  const around = field === "id" ? idAround : wordAround;
  const pieces: Piece[] = [];
  let from = 0;
  for (let at = text.indexOf(literal); at >= 0; at = text.indexOf(literal, at + literal.length)) {
    const end = at + literal.length;
    const isInside =
      around.before.test(text.slice(Math.max(0, at - lookedChars), at)) ||
      around.after.test(text.slice(end, end + lookedChars));
    if (isInside) continue;
    if (at > from) pieces.push({ text: text.slice(from, at) });
    pieces.push({ field });
    from = end;
  }
  if (from < text.length) pieces.push({ text: text.slice(from) });
  return pieces;
}

/** Text that a template prints as it is, whatever follows it. */
function escapeTemplate(text: string): string {
  return text.replaceAll("{{", '{{"{{"}}').replace(/\{$/, '{{"{"}}');
}
