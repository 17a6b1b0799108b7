declare const brand: unique symbol;

/**
 * A value without secrets. Every writer asks for one, and the redactor makes it, so that the compiler shows what was not
 * redacted. A copy with some fields replaced (`{ ...value, field }`) still counts as redacted: what is put in has to be.
 */
export type Redacted<T> = T & { readonly [brand]: true };

/** Replaces secrets in a text. Total and idempotent: `redact(redact(x)) === redact(x)`. */
export type Redact = (text: string) => Redacted<string>;

/** The bytes between the quotes of a JSON text that has no secret; undefined where that cannot be told without decoding it. */
export type RedactEncoded = (json: Uint8Array) => Redacted<Uint8Array> | undefined;

/** Replaces secrets in every text of a value. */
export type RedactValue = <T>(value: T) => Redacted<T>;

/**
 * Takes the caller's word for it. Each use says why it is true; all others go through the functions below, which the
 * compiler checks. `test/redacted.test.ts` has the list of the files that may call it.
 */
export function assumeRedacted<T>(value: T): Redacted<T> {
  return value as Redacted<T>;
}

/** Fields that only ever hold what the program made or checked: ids, times, the address of a step, a run of the machine. */
type OwnField =
  | ("id" | "workflow_id" | "boot" | "resume_point")
  | ("at" | "ended" | "paused" | "archived")
  | ("path" | "to" | "scope");

/** `never` for a text that could be any, and for a structure that was not redacted itself. */
type SafePart<T> = T extends Redacted<unknown> | number | boolean | null | undefined
  ? T
  : T extends string
    ? string extends T
      ? never
      : T
    : never;

type SafeParts<T> = { [K in keyof T]: K extends OwnField ? T[K] : SafePart<T[K]> };

/** A value put together from redacted parts, numbers, ids and words that stand in the program; any other part is a type error. */
export function ofRedactedParts<const T extends object>(parts: T & SafeParts<T>): Redacted<T> {
  return assumeRedacted<T>(parts);
}

/** What `make` gives is redacted, too, because it sees nothing else: it takes a part, cuts, lays out or converts. */
export function fromRedacted<T, U>(
  value: Redacted<T>,
  make: (value: T) => U,
): Redacted<NonNullable<U>> | Extract<U, null | undefined> {
  return assumeRedacted(make(value) as NonNullable<U>);
}
