declare const brand: unique symbol;

/**
 * A value without secrets. Every writer asks for one, and the redactor makes it, so that the compiler shows what was not
 * redacted. `assumeRedacted` is the one other way, and each of its uses has to be true by what stands around it. A copy with some fields replaced (`{ ...value, field }`) still counts as redacted: what is put in has to be.
 */
export type Redacted<T> = T & { readonly [brand]: true };

/** Replaces secrets in a text. Total and idempotent: `redact(redact(x)) === redact(x)`. */
export type Redact = (text: string) => Redacted<string>;

/** Replaces secrets in every text of a value. */
export type RedactValue = <T>(value: T) => Redacted<T>;

/** For values that hold nothing from outside but what was redacted before: the program's own words, numbers, ids that were checked. */
export function assumeRedacted<T>(value: T): Redacted<T> {
  return value as Redacted<T>;
}
