import { Unknown } from "./unknown.ts";
import type { Value } from "./value.ts";

interface Variable {
  name: string;
  value: Value;
  /** Whether Go would hold it in an interface: items of a range. `slice` refuses such indexes. */
  boxed: boolean;
}

/** The variables of one template call, innermost last. */
export class Scope {
  readonly #variables: Variable[];

  constructor(dot: Value) {
    this.#variables = [{ name: "$", value: dot, boxed: false }];
  }

  get size(): number {
    return this.#variables.length;
  }

  /** Forgets what was declared since the scope had this size. */
  shrinkTo(size: number): void {
    this.#variables.length = size;
  }

  declare(name: string, value: Value): void {
    this.#variables.push({ name, value, boxed: false });
  }

  find(name: string): Readonly<Variable> | undefined {
    return this.#variables.findLast((variable) => variable.name === name);
  }

  /** False when there is no such variable. */
  assign(name: string, value: Value): boolean {
    const at = this.#variables.findLastIndex((variable) => variable.name === name);
    if (at >= 0) this.#variables[at] = { name, value, boxed: false };
    return at >= 0;
  }

  /** Sets the variable with `above` others on top of it, as a range does for each item. False when there is none. */
  assignFromTop(above: number, value: Value, boxed: boolean): boolean {
    const at = this.#variables.length - 1 - above;
    if (at < 0) return false;
    this.#variables[at] = { name: this.#variables[at]!.name, value, boxed };
    return true;
  }

  snapshot(): readonly Variable[] {
    return [...this.#variables];
  }

  restore(snapshot: readonly Variable[]): void {
    this.#variables.splice(0, this.#variables.length, ...snapshot);
  }

  /** After branches of which any may have run: a variable that one of them changed becomes unknown. */
  merge(before: readonly Variable[], branches: readonly (readonly Variable[])[]): void {
    this.restore(before);
    for (const [at, variable] of before.entries()) {
      if (branches.some((after) => after[at]?.value !== variable.value)) {
        this.#variables[at] = { ...variable, value: new Unknown(variable.name) };
      }
    }
  }
}
