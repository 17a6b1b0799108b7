import type { RenderBudget } from "../budget.ts";
import type { Data, Unknown } from "../unknown.ts";
import { joinTexts, toBytes, compareTexts } from "../utf8.ts";
import {
  entryOf,
  floatOf,
  integerOf,
  kindOf,
  load,
  typeName,
  type Byte,
  type Complex,
  type DataMap,
  type Float,
  type Plain,
} from "../value.ts";
import { Flags, pad, truncate } from "./flags.ts";
import { floatVerbText, integerText, isFloatVerb } from "./number-verbs.ts";
import { canBackquote, quoteGo } from "./quote.ts";

/** Real Go prints where a list or map lies in memory, which no two runs agree on. */
const address = 0xc000000000n;

/** Collects what Go's fmt would print. */
export class Printer {
  readonly #budget: RenderBudget;
  readonly #parts: string[] = [];
  #length = 0;
  flags = new Flags();

  constructor(budget: RenderBudget) {
    this.#budget = budget;
  }

  text(): string {
    return joinTexts(this.#parts);
  }

  write(text: string): void {
    this.#length += text.length;
    this.#budget.chargeOutput(text.length, this.#length);
    this.#parts.push(text);
  }

  /** One argument of a call, by a verb. */
  argument(value: Plain, verb: string): void {
    const kind = kindOf(value);
    if (kind === "nil") {
      if (verb === "T" || verb === "v") this.write(pad("<nil>", this.flags));
      else this.write(`%!${verb}(<nil>)`);
    } else if (verb === "T") {
      this.write(pad(truncate(typeName(value), this.flags), this.flags));
    } else if (verb === "p") {
      this.#pointer(value);
    } else if (verb === "w" && (kind === "list" || kind === "map")) {
      this.#badVerb(value, verb);
    } else {
      this.#value(value, verb, 0);
    }
  }

  #value(value: Plain, verb: string, depth: number): void {
    switch (kindOf(value)) {
      case "nil":
        return this.write(this.flags.sharpV ? "interface {}(nil)" : "<nil>");
      case "bool":
        return verb === "t" || verb === "v"
          ? this.write(pad(value === true ? "true" : "false", this.flags))
          : this.#badVerb(value, verb);
      case "int":
      case "uint8":
        return this.#integer(value as number | bigint | Byte, verb);
      case "float":
        if (!isFloatVerb(verb)) return this.#badVerb(value, verb);
        return this.write(floatVerbText(floatOf(value as number | Float), verb, this.flags));
      case "complex":
        return this.#complex(value as Complex, verb);
      case "string":
        return this.#string(value as string, verb);
      case "list":
        return this.#list(value as Data[], verb, depth);
      case "map":
        return this.#map(value as DataMap, verb, depth);
      case "unknown":
        return this.write((value as Unknown).placeholder);
    }
  }

  #integer(value: number | bigint | Byte, verb: string): void {
    const isUnsigned = kindOf(value) === "uint8";
    const flags = isUnsigned && verb === "v" && this.flags.sharpV ? { ...this.flags, sharp: true } : this.flags;
    const text = integerText(integerOf(value), flags === this.flags ? verb : "x", flags);
    if (text === undefined) this.#badVerb(value, verb);
    else this.write(text);
  }

  #complex(value: Complex, verb: string): void {
    if (!isFloatVerb(verb)) return this.#badVerb(value, verb);
    const real = floatVerbText(value.real, verb, this.flags);
    this.write(`(${real}${floatVerbText(value.imaginary, verb, { ...this.flags, plus: true })}i)`);
  }

  #string(value: string, verb: string): void {
    const { flags } = this;
    if (verb === "x" || verb === "X") return this.write(this.#hexText(value, verb === "X"));
    const text = truncate(value, flags);
    if (verb === "q" || (verb === "v" && flags.sharpV)) {
      this.#budget.chargeText(text.length);
      this.write(pad(flags.sharp && canBackquote(text) ? `\`${text}\`` : quoteGo(text, flags.plus), flags));
    } else if (verb === "s" || verb === "v") {
      this.write(pad(text, flags));
    } else {
      this.#badVerb(value, verb);
    }
  }

  /** The bytes of a text in hexadecimal. */
  #hexText(value: string, upper: boolean): string {
    const { sharp, space, precision } = this.flags;
    const bytes = toBytes(value).subarray(0, precision);
    if (bytes.length === 0) return pad("", this.flags);
    this.#budget.chargeText(bytes.length * 5);
    const prefix = sharp ? "0x" : "";
    const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0"));
    const text = prefix + digits.join(space ? ` ${prefix}` : "");
    return pad(upper ? text.toUpperCase() : text, this.flags);
  }

  #list(list: readonly Data[], verb: string, depth: number): void {
    const { sharpV } = this.flags;
    this.#budget.checkDataDepth(depth);
    this.write(sharpV ? "[]interface {}{" : "[");
    for (const [at, item] of list.entries()) {
      if (at > 0) this.write(sharpV ? ", " : " ");
      this.#value(load(item), verb, depth + 1);
    }
    this.write(sharpV ? "}" : "]");
  }

  #map(map: DataMap, verb: string, depth: number): void {
    const { sharpV } = this.flags;
    this.#budget.checkDataDepth(depth);
    this.write(sharpV ? "map[string]interface {}{" : "map[");
    for (const [at, key] of sortedKeys(map, this.#budget).entries()) {
      if (at > 0) this.write(sharpV ? ", " : " ");
      this.#string(load(key) as string, verb);
      this.write(":");
      this.#value(entryOf(map, key), verb, depth + 1);
    }
    this.write(sharpV ? "}" : "]");
  }

  #pointer(value: Plain): void {
    const kind = kindOf(value);
    if (kind !== "list" && kind !== "map") return this.#badVerb(value, "p");
    this.write(integerText(address, "x", { ...this.flags, sharp: !this.flags.sharp })!);
  }

  /** %!verb(type=value) */
  #badVerb(value: Plain, verb: string): void {
    this.write(`%!${verb}(${typeName(value)}=`);
    this.#value(value, "v", 0);
    this.write(")");
  }
}

/** A map's keys in Go's order: by bytes. */
export function sortedKeys(map: DataMap, budget: RenderBudget): string[] {
  const keys = Object.keys(map);
  budget.spend(keys.length);
  return keys.sort(compareTexts);
}
