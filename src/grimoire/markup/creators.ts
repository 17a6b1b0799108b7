import { addToList } from "../../text/add-to-list.ts";

/** A step that creates something, as templates know it. */
export interface Creator {
  step: string;
  isScript: boolean;
}

/** By name, the steps that create a thing, in their order. */
export class Creators {
  readonly #byName = new Map<string, Creator[]>();

  add(creator: Creator, names: Iterable<string>): void {
    for (const name of names) addToList(this.#byName, name, creator);
  }

  of(name: string): readonly Creator[] {
    return this.#byName.get(name) ?? [];
  }
}
