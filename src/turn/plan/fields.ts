import { nearest } from "../../text/nearest.ts";
import { resolveKey } from "./action-keys.ts";
import type { Findings, Spot } from "./findings.ts";
import { inlineQuote } from "./findings.ts";
import { readKey } from "./read-key.ts";

export interface Field extends Spot {
  value: string;
}

/** What may stand here. */
interface FieldRules<K extends string> {
  keys: readonly K[];
  /** Keys of other parts: known, but not here. */
  others: readonly string[];
  /** Whose they are, for a message: `CREATE`, `a plan`. */
  owner: string;
}

/** The keys of a plan's head or of an action, while they are read. */
export class Fields<K extends string> {
  readonly #rules: FieldRules<K>;
  readonly #findings: Findings;
  readonly #fields = new Map<K, Field>();

  constructor(rules: FieldRules<K>, findings: Findings) {
    this.#rules = rules;
    this.#findings = findings;
  }

  /** The value of a key, unless there is none. */
  get(key: K): Field | undefined {
    const field = this.#fields.get(key);
    return field?.value === "" ? undefined : field;
  }

  /** Where the key stands, with or without a value. */
  spot(key: K): Spot | undefined {
    return this.#fields.get(key);
  }

  /** Takes the key of a bullet, or of a line without one, which has to be a known key. False when the text has none. */
  take(block: Spot & { kind: "item" | "text"; text: string }): boolean {
    const read = readKey(block.text);
    if (read === undefined) return false;
    const key = resolveKey(read.name, this.#rules.keys);
    if (key === undefined) return this.#unknown(block, read.name);
    const before = this.#fields.get(key);
    if (before) {
      this.#findings.error(
        block,
        `${key} stands here a second time, after line ${before.line + 1}`,
        "keep one of them",
      );
    } else {
      const at = read.value === "" ? -1 : block.text.lastIndexOf(read.value);
      this.#fields.set(key, { value: read.value, line: block.line, offset: block.offset + Math.max(at, 0) });
    }
    return true;
  }

  #unknown(block: Spot & { kind: "item" | "text" }, name: string): boolean {
    const { keys, others, owner } = this.#rules;
    const isKnown = resolveKey(name, others) !== undefined;
    if (block.kind === "text" && !isKnown) return false;
    const near = nearest(name, [...keys]);
    const expected = near === undefined ? `one of ${keys.join(", ")}` : `did you mean ${near}?`;
    const message = isKnown ? `${owner} has no ${resolveKey(name, others)!}` : `unknown key ${inlineQuote(name)}`;
    this.#findings.error(block, message, expected);
    return true;
  }
}
