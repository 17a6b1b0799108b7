import type { PermissionWord } from "../contract/permission-values.ts";

/** What a person is asked, with the letter that answers it. */
export const wordTexts: Record<PermissionWord, string> = {
  allow: "[a]llow once",
  always: "a[l]ways in this engine's session",
  deny: "[d]eny",
};
/** `y` and `n` are what everybody types first. */
const letters: Record<string, PermissionWord> = {
  a: "allow",
  y: "allow",
  yes: "allow",
  l: "always",
  d: "deny",
  n: "deny",
  no: "deny",
};

/** The word that a person meant, of those that count; undefined when it is none of them. */
export function typedWord(typed: string, words: readonly PermissionWord[]): PermissionWord | undefined {
  const text = typed.trim().toLowerCase();
  const meant = Object.hasOwn(letters, text) ? letters[text] : text;
  return words.find((word) => word === meant) ?? words.find((word) => text.length > 1 && word.startsWith(text));
}
