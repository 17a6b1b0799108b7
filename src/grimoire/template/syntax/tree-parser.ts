import { Cursor, type Source } from "./cursor.ts";
import { ExpressionParser } from "./expression-parser.ts";
import type { BranchNode, ListNode, Node } from "./nodes.ts";
import type { Token } from "./token.ts";

/** How a list of nodes ended. With `else if`, the `if` is still to be read. */
interface EndOfList {
  kind: "end-of-list";
  keyword: "end" | "else";
  offset: number;
}

/** Parses one tree: the text as a whole, or one definition in it. Definitions go into `trees`. */
export class TreeParser {
  readonly #cursor: Cursor;
  readonly #expressions: ExpressionParser;
  readonly #trees: Map<string, ListNode>;
  #rangeDepth = 0;

  constructor(source: Source, trees: Map<string, ListNode>) {
    this.#cursor = new Cursor(source);
    this.#expressions = new ExpressionParser(this.#cursor);
    this.#trees = trees;
  }

  /** The whole text: like a list, but definitions may stand in it. */
  parseText(name: string): void {
    const cursor = this.#cursor;
    const root: ListNode = { kind: "list", offset: cursor.peek().offset, nodes: [] };
    while (cursor.peek().kind !== "end-of-text") {
      if (this.#definition()) continue;
      const node = this.#textOrAction();
      if (node.kind === "end-of-list") throw cursor.error(`unexpected {{${node.keyword}}}`);
      root.nodes.push(node);
    }
    this.#add(name, root);
  }

  #definition(): boolean {
    const cursor = this.#cursor;
    const before = cursor.source.next;
    if (cursor.next().kind === "left-delimiter" && cursor.nextNonSpace().kind === "define") {
      new TreeParser(cursor.source, this.#trees).#parseDefinition();
      return true;
    }
    cursor.source.next = before;
    return false;
  }

  /** `{{define "name"}} … {{end}}`, after the keyword. */
  #parseDefinition(): void {
    const name = this.#templateName(this.#cursor.nextNonSpace(), "define clause");
    this.#cursor.expect("right-delimiter", "define clause");
    const { list, end } = this.#list();
    if (end.keyword !== "end") throw this.#cursor.error("unexpected {{else}} in define clause");
    this.#add(name, list);
  }

  /** A definition replaces an empty one; two that are not empty are refused. */
  #add(name: string, list: ListNode): void {
    const existing = this.#trees.get(name);
    if (existing === undefined || isEmpty(existing)) this.#trees.set(name, list);
    else if (!isEmpty(list)) throw this.#cursor.error(`template ${JSON.stringify(name)} is defined twice`);
  }

  #list(): { list: ListNode; end: EndOfList } {
    const cursor = this.#cursor;
    const list: ListNode = { kind: "list", offset: cursor.peekNonSpace().offset, nodes: [] };
    while (cursor.peekNonSpace().kind !== "end-of-text") {
      const node = this.#textOrAction();
      if (node.kind === "end-of-list") return { list, end: node };
      list.nodes.push(node);
    }
    throw cursor.error("unexpected end of the text: an {{end}} is missing");
  }

  #textOrAction(): Node | EndOfList {
    const token = this.#cursor.nextNonSpace();
    const { offset, text } = token;
    if (token.kind === "text") return { kind: "text", offset, text, place: this.#cursor.source.places.of(offset) };
    if (token.kind === "left-delimiter") return this.#action(offset);
    throw this.#cursor.unexpected(token, "input");
  }

  #action(start: number): Node | EndOfList {
    const cursor = this.#cursor;
    const place = cursor.source.places.of(start);
    const token = cursor.nextNonSpace();
    switch (token.kind) {
      case "block":
        return this.#block();
      case "break":
      case "continue":
        return this.#jump(token.kind, token.offset);
      case "else":
        return this.#else();
      case "end":
        return { kind: "end-of-list", keyword: "end", offset: cursor.expect("right-delimiter", "end").offset };
      case "if":
      case "range":
      case "with":
        return this.#branch(token.kind);
      case "template":
        return this.#template();
    }
    cursor.backUp();
    const { offset } = cursor.peek();
    return { kind: "action", offset, place, pipe: this.#expressions.pipeline("command", "right-delimiter") };
  }

  #jump(kind: "break" | "continue", offset: number): Node {
    const token = this.#cursor.nextNonSpace();
    if (token.kind !== "right-delimiter") throw this.#cursor.unexpected(token, `{{${kind}}}`);
    if (this.#rangeDepth === 0) throw this.#cursor.error(`{{${kind}}} outside {{range}}`);
    return { kind, offset };
  }

  #else(): EndOfList {
    const next = this.#cursor.peekNonSpace();
    const { offset } = next.kind === "if" ? next : this.#cursor.expect("right-delimiter", "else");
    return { kind: "end-of-list", keyword: "else", offset };
  }

  #branch(kind: BranchNode["kind"]): BranchNode {
    return this.#cursor.nest(() =>
      this.#expressions.withScope(() => {
        const pipe = this.#expressions.pipeline(kind, "right-delimiter");
        if (kind === "range") this.#rangeDepth += 1;
        const { list, end } = this.#list();
        if (kind === "range") this.#rangeDepth -= 1;
        const elseList = end.keyword === "else" ? this.#elseList(kind, end.offset) : undefined;
        return { kind, offset: pipe.offset, pipe, list, elseList };
      }),
    );
  }

  /** `{{else if}}` is an if inside the else that shares its end. */
  #elseList(kind: BranchNode["kind"], offset: number): ListNode {
    const cursor = this.#cursor;
    if (kind === "if" && cursor.peek().kind === "if") {
      cursor.next();
      return { kind: "list", offset, nodes: [this.#branch("if")] };
    }
    const { list, end } = this.#list();
    if (end.keyword !== "end") throw cursor.error("expected {{end}}, found {{else}}");
    return list;
  }

  /** `{{block "name" pipeline}} … {{end}}`: a definition and a call of it at once. */
  #block(): Node {
    const token = this.#cursor.nextNonSpace();
    const name = this.#templateName(token, "block clause");
    const pipe = this.#expressions.pipeline("block clause", "right-delimiter");
    const inner = new TreeParser(this.#cursor.source, this.#trees);
    const { list, end } = this.#cursor.nest(() => inner.#list());
    if (end.keyword !== "end") throw this.#cursor.error("unexpected {{else}} in block clause");
    inner.#add(name, list);
    return { kind: "template", offset: token.offset, name, pipe };
  }

  #template(): Node {
    const cursor = this.#cursor;
    const { offset } = cursor.peekNonSpace();
    const name = this.#templateName(cursor.nextNonSpace(), "template clause");
    if (cursor.nextNonSpace().kind === "right-delimiter") return { kind: "template", offset, name, pipe: undefined };
    cursor.backUp();
    return { kind: "template", offset, name, pipe: this.#expressions.pipeline("template clause", "right-delimiter") };
  }

  #templateName(token: Token, context: string): string {
    if (token.kind !== "string" && token.kind !== "raw-string") throw this.#cursor.unexpected(token, context);
    return this.#expressions.text(token);
  }
}

const spaceOnly = /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*$/;

function isEmpty({ nodes }: ListNode): boolean {
  return nodes.every((node) => node.kind === "text" && spaceOnly.test(node.text));
}
