import { isAlias, isMap, isScalar, isSeq, type Alias, type Node, type Pair, type Scalar, type YAMLMap } from "yaml";
import { nearest } from "../../text/nearest.ts";
import type { Report } from "./unplaced-problem.ts";
import { didYouMean } from "./words.ts";
import { YamlTree } from "./yaml-tree.ts";

/** Stands for a value that could not be read and was reported, so that later checks do not report it again. */
export const unreadValue = Symbol("unread");

/** Limits on what a file may unfold to. */
const limits = { depth: 64, values: 50_000 } as const;

/** A YAML anchor, with its value, the number of values in it and their levels; no content while it is being read. */
interface Anchor {
  node: Node;
  content?: { value: unknown; values: number; levels: number };
}

/** Reads nodes into JSON, and reports what JSON cannot hold or what would surprise. One pass, in the file's order. */
export class TreeReader {
  readonly #source: string;
  readonly #report: Report;
  readonly #describePlace: (offset: number) => string;
  readonly #anchors = new Map<string, Anchor>();
  readonly #pairs = new Map<YAMLMap, Map<string, Pair>>();
  readonly #aliasTargets = new Map<Alias, Node>();
  #values = 0;
  #maxDepth = 0;

  /** `describePlace` names an offset for a person, for messages that speak of two places. */
  constructor(source: string, report: Report, describePlace: (offset: number) => string) {
    this.#source = source;
    this.#report = report;
    this.#describePlace = describePlace;
  }

  /** The value of a file that is too large is `unreadValue`, so that it is not checked any further. */
  read(root: Node | null): YamlTree {
    const value = this.#node(root, 0);
    return new YamlTree(this.#values === Infinity ? unreadValue : value, root, this.#pairs, this.#aliasTargets);
  }

  #node(node: unknown, depth: number): unknown {
    this.#values += 1;
    if (this.#values > limits.values) return this.#tooMany(node);
    if (depth > this.#maxDepth) this.#maxDepth = depth;
    if (isAlias(node)) return this.#alias(node, depth);
    const name = (node as (Node & { anchor?: string }) | null)?.anchor;
    return name === undefined ? this.#readUnanchored(node, depth) : this.#anchor(name, node as Node, depth);
  }

  #anchor(name: string, node: Node, depth: number): unknown {
    const anchor: Anchor = { node };
    this.#anchors.set(name, anchor);
    const [valuesBefore, maxDepthBefore] = [this.#values, this.#maxDepth];
    this.#maxDepth = depth;
    const value = this.#readUnanchored(node, depth);
    anchor.content = { value, values: this.#values - valuesBefore, levels: this.#maxDepth - depth };
    this.#maxDepth = Math.max(maxDepthBefore, this.#maxDepth);
    return value;
  }

  #readUnanchored(node: unknown, depth: number): unknown {
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
    const text = this.#source.slice(node.range![0], node.range![1]);
    const quote = text.includes('"') ? "'" : '"';
    return this.#fail(node, "text that begins with {{ must stand in quotes", `write ${quote}${text}${quote}`);
  }

  /** The text of a key; undefined when the key was reported. */
  #key(pair: Pair, pairs: ReadonlyMap<string, Pair>): string | undefined {
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
    const first = pairs.get(text);
    if (first === undefined) return text;
    const place = this.#describePlace((first.key as Node).range![0]);
    return refuse(`the key ${text} stands here a second time; the first is at ${place}`, "remove one of them");
  }

  #alias(node: Alias, depth: number): unknown {
    const anchor = this.#anchors.get(node.source);
    if (!anchor) {
      const hint = didYouMean(nearest(node.source, [...this.#anchors.keys()].slice(0, 100)));
      return this.#fail(node, `no anchor &${node.source} stands before *${node.source}`, hint);
    }
    if (!anchor.content) return this.#fail(node, `*${node.source} stands inside its own anchor`);
    this.#aliasTargets.set(node, anchor.node);
    const { value, values, levels } = anchor.content;
    this.#values += values;
    this.#maxDepth = Math.max(this.#maxDepth, depth + levels);
    if (this.#values > limits.values) return this.#tooMany(node);
    return depth + levels > limits.depth ? this.#tooDeep(node) : value;
  }

  #tooDeep(node: unknown): unknown {
    return this.#fail(node, `nested too deeply: at most ${limits.depth} levels`);
  }

  /** Reported once: an infinite count keeps the rest of the file from being read. */
  #tooMany(node: unknown): unknown {
    const problem = this.#fail(node, `too large: more than ${limits.values} values, counting what aliases repeat`);
    this.#values = Infinity;
    return problem;
  }

  #fail(node: unknown, message: string, hint?: string): typeof unreadValue {
    const offset = (node as Node | null)?.range?.[0] ?? 0;
    if (this.#values !== Infinity) this.#report({ offset, message, hint });
    return unreadValue;
  }
}
