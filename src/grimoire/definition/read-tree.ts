import { isAlias, isMap, isScalar, isSeq, type Alias, type Node, type Pair, type Scalar, type YAMLMap } from "yaml";
import { nearest } from "../../text/nearest.ts";
import type { Report } from "./finding.ts";
import { didYouMean } from "./words.ts";
import { YamlTree } from "./yaml-tree.ts";

/** Stands for a value that could not be read and was reported, so that nobody complains about it again. */
export const unread = Symbol("unread");

/** Limits on what a file may unfold to. */
const limits = { depth: 64, values: 50_000 } as const;

/** An anchor: what it holds, how many values that is and how deeply nested; nothing while it is being read. */
interface Anchored {
  node: Node;
  read?: { value: unknown; values: number; levels: number };
}

/** Reads nodes into JSON, and reports what JSON cannot hold or what would surprise. One pass, in the file's order. */
export class TreeReader {
  readonly #source: string;
  readonly #report: Report;
  readonly #placeName: (offset: number) => string;
  readonly #anchors = new Map<string, Anchored>();
  readonly #pairs = new Map<YAMLMap, Map<string, Pair>>();
  readonly #targets = new Map<Alias, Node>();
  #values = 0;
  #deepest = 0;

  /** `placeName` names an offset for a person, for messages that speak of two places. */
  constructor(source: string, report: Report, placeName: (offset: number) => string) {
    this.#source = source;
    this.#report = report;
    this.#placeName = placeName;
  }

  /** What is too large is not checked any further: its value is `unread`. */
  read(root: Node | null): YamlTree {
    const value = this.#node(root, 0);
    return new YamlTree(this.#values === Infinity ? unread : value, root, this.#pairs, this.#targets);
  }

  #node(node: unknown, depth: number): unknown {
    this.#values += 1;
    if (this.#values > limits.values) return this.#tooMany(node);
    if (depth > this.#deepest) this.#deepest = depth;
    if (isAlias(node)) return this.#alias(node, depth);
    const name = (node as (Node & { anchor?: string }) | null)?.anchor;
    return name === undefined ? this.#plain(node, depth) : this.#anchored(name, node as Node, depth);
  }

  #anchored(name: string, node: Node, depth: number): unknown {
    const anchored: Anchored = { node };
    this.#anchors.set(name, anchored);
    const [valuesBefore, deepestBefore] = [this.#values, this.#deepest];
    this.#deepest = depth;
    const value = this.#plain(node, depth);
    anchored.read = { value, values: this.#values - valuesBefore, levels: this.#deepest - depth };
    this.#deepest = Math.max(deepestBefore, this.#deepest);
    return value;
  }

  #plain(node: unknown, depth: number): unknown {
    if (isScalar(node)) return this.#scalar(node);
    if (depth >= limits.depth) return this.#tooDeep(node);
    if (isMap(node)) return this.#map(node, depth);
    if (isSeq(node)) return node.items.map((item) => this.#node(item, depth + 1));
    return null;
  }

  #scalar(node: Scalar): unknown {
    const { value } = node;
    if (typeof value === "string") return this.#text(node, value);
    if (typeof value !== "number") return value;
    if (!Number.isFinite(value))
      return this.#fail(node, `${node.source} is no number that JSON knows`, "put it in quotes");
    if (Number.isInteger(value) && !Number.isSafeInteger(value) && !/[.eE]/.test(node.source ?? "")) {
      return this.#fail(node, `${node.source} is too large to be exact`, "put it in quotes");
    }
    return value;
  }

  #text(node: Scalar, value: string): unknown {
    if (value.includes("\0")) return this.#fail(node, "text must not contain NUL characters");
    if (!value.isWellFormed()) return this.#fail(node, "text holds half a character", "write the character itself");
    return value;
  }

  #map(node: YAMLMap, depth: number): unknown {
    if (this.#source.startsWith("{{", node.range![0])) return this.#bareTemplate(node);
    const pairs = new Map<string, Pair>();
    this.#pairs.set(node, pairs);
    const values: Record<string, unknown> = {};
    for (const pair of node.items) {
      const value = this.#node(pair.value, depth + 1);
      const key = this.#key(pair, pairs);
      if (key === undefined) continue;
      pairs.set(key, pair);
      values[key] = value;
    }
    return values;
  }

  /** `when: {{.x}}` is a mapping to YAML, with a mapping as its key. */
  #bareTemplate(node: YAMLMap): unknown {
    const written = this.#source.slice(node.range![0], node.range![1]);
    const quote = written.includes('"') ? "'" : '"';
    return this.#fail(node, "text that begins with {{ must stand in quotes", `write ${quote}${written}${quote}`);
  }

  /** The text of a key that may stand; undefined for those that were reported. */
  #key(pair: Pair, earlier: ReadonlyMap<string, Pair>): string | undefined {
    const { key } = pair;
    const refuse = (message: string, hint?: string): undefined => void this.#fail(key ?? pair.value, message, hint);
    if (key === null) return refuse("a key is missing");
    if (!isScalar(key)) return refuse("a key must be text");
    if (key.value === null) return refuse("a key is missing");
    if (key.value === "<<" && key.type === "PLAIN") {
      return refuse("merge keys (<<) are not supported", "write the fields out");
    }
    const text = typeof key.value === "string" ? key.value : (key.source ?? JSON.stringify(key.value));
    if (text === "__proto__") return refuse("the key __proto__ is not allowed");
    const first = earlier.get(text);
    if (first === undefined) return text;
    const place = this.#placeName((first.key as Node).range![0]);
    return refuse(`the key ${text} stands here a second time; the first is at ${place}`, "remove one of them");
  }

  #alias(node: Alias, depth: number): unknown {
    const anchored = this.#anchors.get(node.source);
    if (!anchored) {
      const hint = didYouMean(nearest(node.source, [...this.#anchors.keys()].slice(0, 100)));
      return this.#fail(node, `no anchor &${node.source} stands before *${node.source}`, hint);
    }
    if (!anchored.read) return this.#fail(node, `*${node.source} stands inside its own anchor`);
    this.#targets.set(node, anchored.node);
    const { value, values, levels } = anchored.read;
    this.#values += values;
    this.#deepest = Math.max(this.#deepest, depth + levels);
    if (this.#values > limits.values) return this.#tooMany(node);
    return depth + levels > limits.depth ? this.#tooDeep(node) : value;
  }

  #tooDeep(node: unknown): unknown {
    return this.#fail(node, `nested too deeply: at most ${limits.depth} levels`);
  }

  /** The first one says it; from then on the rest of the file only unwinds. */
  #tooMany(node: unknown): unknown {
    const problem = this.#fail(node, `too large: more than ${limits.values} values, counting what aliases repeat`);
    this.#values = Infinity;
    return problem;
  }

  #fail(node: unknown, message: string, hint?: string): typeof unread {
    const offset = (node as Node | null)?.range?.[0] ?? 0;
    if (this.#values !== Infinity) this.#report({ offset, message, hint });
    return unread;
  }
}
