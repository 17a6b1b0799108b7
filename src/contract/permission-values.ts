/** The fixed words of permissions. */

export const optionKinds = ["allow_once", "allow_always", "reject_once", "reject_always"] as const;
export type OptionKind = (typeof optionKinds)[number];

/** The ids of such requests among all questions. */
export const permissionIdPattern = /^q-perm[a-z0-9]{8}$/;

/** What a person says, and the kinds of options that it stands for: the first that the engine offers counts. */
const answers = {
  allow: ["allow_once"],
  always: ["allow_always"],
  deny: ["reject_once", "reject_always"],
} as const satisfies Record<string, readonly OptionKind[]>;
export type PermissionWord = keyof typeof answers;
export const permissionWords = ["allow", "always", "deny"] as const satisfies readonly PermissionWord[];

/** The words that a request can be answered with. */
export function wordsFor({ options }: { options: readonly { kind: OptionKind }[] }): PermissionWord[] {
  return (Object.keys(answers) as PermissionWord[]).filter((word) => optionOf(word, options) !== undefined);
}

/** The option that a word stands for; undefined when the engine offers none. */
export function optionOf(word: string, options: readonly { kind: OptionKind }[]): OptionKind | undefined {
  const kinds: readonly OptionKind[] = Object.hasOwn(answers, word) ? answers[word as PermissionWord] : [];
  return kinds.find((kind) => options.some((option) => option.kind === kind));
}

export function wordOf(option: OptionKind): PermissionWord {
  return option === "allow_once" ? "allow" : option === "allow_always" ? "always" : "deny";
}

export function isAllowed(option: OptionKind): boolean {
  return wordOf(option) !== "deny";
}
