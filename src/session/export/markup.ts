import { visibleControls } from "../../text/controls.ts";

/** HTML that the program made; all data in it is escaped. */
export class Markup {
  readonly text: string;

  /** Takes the caller's word that the text is no data. */
  constructor(text: string) {
    this.text = text;
  }
}

export type Content = string | Markup | readonly Markup[];

/** Puts markup together. Whatever is put into it is escaped, unless it is markup itself. */
export function markup(strings: TemplateStringsArray, ...values: Content[]): Markup {
  return new Markup(strings.reduce((text, part, at) => text + textOf(values[at - 1]!) + part));
}

function textOf(value: Content): string {
  if (typeof value === "string") return escape(value);
  return value instanceof Markup ? value.text : value.map(({ text }) => text).join("");
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escape(text: string): string {
  return visibleControls(text).replace(/[&<>"']/g, (char) => entities[char]!);
}
