import { isAlias, isMap, isScalar, isSeq, type Alias, type Node, type Pair, type Scalar, type YAMLMap } from "yaml";

/** The keys from the top to a value: `["steps", 0, "command"]`. */
export type Path = readonly (string | number)[];

/** Values with the offset of each, whatever they were written in. */
export type PlacedTree = Pick<YamlTree, "value" | "offsetOf" | "keyOffsetOf" | "isEmpty">;

/** A YAML file as values, with the offset of each. */
export class YamlTree {
  /** The file's content as JSON; `unreadValue` in place of what was reported already. */
  readonly value: unknown;
  readonly #root: Node | null;
  readonly #pairs: ReadonlyMap<YAMLMap, Map<string, Pair>>;
  readonly #aliasTargets: ReadonlyMap<Alias, Node>;

  constructor(
    value: unknown,
    root: Node | null,
    pairs: ReadonlyMap<YAMLMap, Map<string, Pair>>,
    aliasTargets: ReadonlyMap<Alias, Node>,
  ) {
    this.value = value;
    this.#root = root;
    this.#pairs = pairs;
    this.#aliasTargets = aliasTargets;
  }

  /** The value's offset; its key's when there is a key but no value; otherwise that of the nearest parent. */
  offsetOf(path: Path): number {
    return this.#find(path).offset;
  }

  /** The offset of the key at the path's end. */
  keyOffsetOf(path: Path): number {
    return this.#find(path).keyOffset;
  }

  /** Whether an offset lies within what stands at the path. */
  contains(path: Path, offset: number): boolean {
    const range = (this.#find(path).node as Node | undefined)?.range;
    return range != null && range[0] <= offset && offset < range[1];
  }

  /** The text at a path, as YAML has it; undefined when something else stands there. */
  textAt(path: Path): Scalar<string> | undefined {
    const { node, exists } = this.#find(path);
    return exists && isScalar(node) && typeof node.value === "string" ? (node as Scalar<string>) : undefined;
  }

  /** Whether a key stands at the path without anything behind it. */
  isEmpty(path: Path): boolean {
    const { node, exists } = this.#find(path);
    return exists && isEmptyNode(node);
  }

  /** Makes the value of a misspelt key also be found under the corrected key. */
  addKeyAlias(path: Path, key: string, alias: string): void {
    const { node } = this.#find(path);
    const pairs = isMap(node) ? this.#pairs.get(node) : undefined;
    const pair = pairs?.get(key);
    if (pair) pairs!.set(alias, pair);
  }

  #find(path: Path): { node: unknown; offset: number; keyOffset: number; exists: boolean } {
    let node: unknown = this.#root;
    let offset = startOf(node) ?? 0;
    let keyOffset = offset;
    for (const key of path) {
      const parent = isAlias(node) ? this.#aliasTargets.get(node) : node;
      if (isMap(parent)) {
        const pair = this.#pairs.get(parent)?.get(String(key));
        if (!pair) return { node: undefined, offset, keyOffset, exists: false };
        node = pair.value;
        keyOffset = startOf(pair.key) ?? offset;
      } else {
        node = isSeq(parent) ? parent.items[Number(key)] : undefined;
        if (node === undefined) return { node: undefined, offset, keyOffset, exists: false };
        keyOffset = startOf(node) ?? offset;
      }
      offset = isEmptyNode(node) ? keyOffset : (startOf(node) ?? keyOffset);
    }
    return { node: isAlias(node) ? this.#aliasTargets.get(node) : node, offset, keyOffset, exists: true };
  }
}

function startOf(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0];
}

/** Nothing at all behind a key, as opposed to a `null` that was written. */
function isEmptyNode(node: unknown): boolean {
  return node === null || (isScalar(node) && node.value === null && !node.source);
}

export function valueAt(value: unknown, path: Path): unknown {
  let current: unknown = value;
  for (const key of path)
    current =
      typeof current === "object" && current !== null ? (current as Record<string | number, unknown>)[key] : undefined;
  return current;
}
