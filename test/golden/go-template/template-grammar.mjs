// Random templates and data for the fuzzer: mostly well-formed, so that they get past the parser, and sometimes damaged.

/** @typedef {() => number} Random a number from 0 up to 1 */
/** @typedef {import("./go-template.mjs").Case} Case */

/** @param {Random} random @param {Case[]} known @returns {Case} */
export function randomCase(random, known) {
  const make = new Maker(random);
  const kind = random();
  if (kind < 0.15 && known.length > 0) {
    const chosen = make.oneOf(known);
    return { template: make.damaged(chosen.template), data: random() < 0.5 ? chosen.data : make.data() };
  }
  const template = make.template();
  return { template: kind < 0.3 ? make.damaged(template) : template, data: make.data() };
}

const texts = [
  "",
  "a",
  "hello",
  "héllo",
  "日本",
  "a<b>&\"'",
  "line\nbreak\ttab",
  "\u2028\u0007\u007f",
  "😀",
  "{{",
  "%d %s",
  "0",
  "-",
];
const numbers = [
  0,
  1,
  2,
  3,
  5,
  -1,
  -7,
  42,
  255,
  1000000,
  2 ** 53,
  -(2 ** 53),
  2 ** 53 + 2,
  1.5,
  -0.25,
  1e21,
  1e-7,
  123456.789,
  1e100,
  0.1,
  2.5,
];
const keys = ["a", "b", "c", "s", "n", "f", "l", "m", "nul", "t", "x", "é", "z_1", "Z"];
const functions =
  "and or not len index slice print printf println html js urlquery call eq ne lt le gt ge raw json default include".split(
    " ",
  );
const ints =
  "0 1 2 3 -1 +5 007 0x1F 0X_ff 0b101 0o17 1_000 'a' '\\n' '\\x41' '\\u00e9' '日' '\\'' '😀' 9223372036854775807 -9223372036854775808 9007199254740993".split(
    " ",
  );
const floats =
  "1.5 .5 1. 1.0 -0.0 1e3 1E-2 0x1p4 0x1.8p-1 -0x1e 1e100 123456789.0 0.000012345 1_0.2_5 5e-324 1.7976931348623157e308 2.5 0.125 1e21 1e20".split(
    " ",
  );
const complexes = "1i 0i 2.5i 1+2i -1-2i 1e3+4i 0x1p-2+3i".split(" ");
const strings =
  `"" "a" "b" "hello" "h\\u00e9" "\\xff\\xfe" "\\101" "tab\\t" "%d" "%s" "<&'>" "日本" "\\U0001F600" \`raw\` \`a"b\``.split(
    " ",
  );
const refused =
  "nil 9223372036854775808 18446744073709551615 18446744073709551616 1e400 09 1__0 0x 1_ 0b12 '' 1p3 0x1.5 '\\xzz' \"\\q\" \"\\400\" +i 0b1+2i 1i+2i 1+0x2i .1.2 1.2.3 _1 $undefined undefined \"\\ud800\" 'ab'".split(
    " ",
  );
const verbs = [..."vdsqxXtTbcoOUeEfFgG%w!zé"];

class Maker {
  /** @param {Random} random */
  constructor(random) {
    this.random = random;
    /** @type {string[]} */
    this.variables = [];
    this.budget = 40;
  }

  /** @template T @param {readonly T[]} list @returns {T} */
  oneOf(list) {
    const chosen = list[Math.floor(this.random() * list.length)];
    if (chosen === undefined) throw new Error("nothing to choose from");
    return chosen;
  }

  /** @param {number} share */
  chance(share) {
    return this.random() < share;
  }

  data(depth = 0) {
    if (depth === 0 && this.chance(0.05)) return this.value(1);
    /** @type {Record<string, unknown>} */
    const map = {
      a: this.value(1),
      s: this.oneOf(texts),
      n: this.oneOf(numbers),
      l: this.list(1),
      m: this.map(1),
      nul: null,
    };
    for (const key of keys) if (this.chance(0.3)) map[key] = this.value(1);
    return map;
  }

  /** @param {number} depth @returns {unknown} */
  value(depth) {
    const kind = this.random();
    if (kind < 0.25) return this.oneOf(texts);
    if (kind < 0.5) return this.oneOf(numbers);
    if (kind < 0.6) return this.chance(0.5);
    if (kind < 0.68) return null;
    if (depth > 3) return 7;
    return kind < 0.84 ? this.list(depth + 1) : this.map(depth + 1);
  }

  /** @param {number} depth */
  list(depth) {
    return Array.from({ length: Math.floor(this.random() * 4) }, () => this.value(depth + 1));
  }

  /** @param {number} depth @returns {Record<string, unknown>} */
  map(depth) {
    const entries = Array.from({ length: Math.floor(this.random() * 4) }, () => [
      this.oneOf(keys),
      this.value(depth + 1),
    ]);
    return Object.fromEntries(entries);
  }

  template() {
    let text = "";
    if (this.chance(0.15)) {
      const kept = this.variables;
      this.variables = [];
      text += `{{define "${this.oneOf(["x", "y", "t"])}"}}${this.nodes(2, false)}{{end}}`;
      this.variables = kept;
    }
    return text + this.nodes(0, false);
  }

  /** @param {number} depth @param {boolean} inRange @returns {string} */
  nodes(depth, inRange) {
    let text = "";
    const count = 1 + Math.floor(this.random() * 3);
    for (let at = 0; at < count && this.budget > 0; at++) text += this.node(depth, inRange);
    return text;
  }

  /** @param {string} inside */
  braces(inside) {
    const left = this.chance(0.08) ? this.oneOf(["{{- ", "{{-\n", "{{ ", "{{\n"]) : "{{";
    const right = this.chance(0.08) ? this.oneOf([" -}}", "\n-}}", " }}", "\n}}"]) : "}}";
    return left + inside + right;
  }

  /** @param {number} depth @param {boolean} inRange @returns {string} */
  node(depth, inRange) {
    this.budget -= 1;
    const kind = this.random();
    if (kind < 0.2) return this.oneOf(["text", " ", "\n", "  x  ", "é", "}}", "{", "a\n b"]);
    if (kind < 0.55 || depth > 3) return this.braces(this.pipeline(2));
    if (kind < 0.65) return this.braces(this.declaration());
    if (kind < 0.68) return this.oneOf(["{{/* c */}}", "{{- /* c */ -}}", "{{/* c\n */}}", "{{/* c */ -}}"]);
    if (kind < 0.71 && inRange) return this.braces(this.oneOf(["break", "continue"]));
    const known = [...this.variables];
    if (kind < 0.81) {
      let text = this.braces(`if ${this.maybeDeclared()}`) + this.nodes(depth + 1, inRange);
      if (this.chance(0.2)) text += this.braces(`else if ${this.pipeline(1)}`) + this.nodes(depth + 1, inRange);
      if (this.chance(0.4)) text += this.braces("else") + this.nodes(depth + 1, inRange);
      this.variables = known;
      return text + this.braces("end");
    }
    if (kind < 0.88) {
      let text = this.braces(`with ${this.maybeDeclared()}`) + this.nodes(depth + 1, inRange);
      if (this.chance(0.3)) text += this.braces("else") + this.nodes(depth + 1, inRange);
      this.variables = known;
      return text + this.braces("end");
    }
    if (kind < 0.96) {
      let text = this.braces(`range ${this.rangeHead()}`) + this.nodes(depth + 1, true);
      if (this.chance(0.3)) text += this.braces("else") + this.nodes(depth + 1, inRange);
      this.variables = known;
      return text + this.braces("end");
    }
    const name = this.oneOf(['"x"', '"y"', "`x`", '"t"', '"none"']);
    if (kind < 0.985) return this.braces(`template ${name}${this.chance(0.7) ? ` ${this.pipeline(1)}` : ""}`);
    this.variables = [];
    const text = this.braces(`block ${name} ${this.pipeline(1)}`) + this.nodes(depth + 1, false) + this.braces("end");
    this.variables = known;
    return text;
  }

  declaration() {
    const assigns = this.variables.length > 0 && this.chance(0.4);
    const name = assigns ? this.oneOf(this.variables) : this.oneOf(["$x", "$y", "$z", "$"]);
    const value = this.pipeline(2);
    if (!assigns) this.variables.push(name);
    return `${name}${this.chance(0.9) ? " " : ""}${assigns ? "=" : ":="} ${value}`;
  }

  maybeDeclared() {
    return this.chance(0.2) ? this.declaration() : this.pipeline(2);
  }

  rangeHead() {
    const over = this.chance(0.6)
      ? this.oneOf([".l", ".m", ".a", "$.l", "$.m", "(slice .l)", ".", ".nul", ".none"])
      : this.pipeline(1);
    const kind = this.random();
    if (kind < 0.4) return over;
    const operator = this.chance(0.9) ? ":=" : "=";
    this.variables.push("$v");
    if (kind < 0.65) return `$v ${operator} ${over}`;
    this.variables.push("$k");
    return `$k, $v ${operator} ${over}`;
  }

  /** @param {number} depth @returns {string} */
  pipeline(depth) {
    let text = this.command(depth);
    while (this.chance(0.18)) text += ` | ${this.call(depth, true)}`;
    return text;
  }

  /** @param {number} depth @returns {string} */
  command(depth) {
    return this.chance(0.45)
      ? this.operand(depth) + (this.chance(0.03) ? ` ${this.operand(0)}` : "")
      : this.call(depth, false);
  }

  /** @param {number} depth @param {boolean} piped @returns {string} */
  call(depth, piped) {
    const name = this.oneOf(functions);
    if (/^(eq|ne|lt|le|gt|ge)$/.test(name) && this.chance(0.8)) return this.comparison(name, piped);
    if (name === "call" && this.chance(0.9)) return "json" + (piped ? "" : " .");
    if (name.startsWith("print") && this.chance(0.7)) return this.printf(depth, piped);
    const usual = /** @type {Record<string, number>} */ ({ not: 1, len: 1, raw: 1, json: 1, call: 1 })[name] ?? 2;
    let count = this.chance(0.85) ? usual : Math.floor(this.random() * 5);
    if (name === "include") count = Math.min(count, 1) + (this.chance(0.3) ? 1 : 0);
    if (piped && this.chance(0.9)) count -= 1;
    if (name === "include" && count + Number(piped) > 2) count = 1;
    const args = Array.from({ length: Math.max(count, 0) }, () => this.operand(depth - 1));
    if (name === "index" && this.chance(0.6)) args[0] = this.oneOf([".l", ".m", ".s", "$.l", ".", ".a"]);
    if (name === "slice" && this.chance(0.6)) args[0] = this.oneOf([".l", ".s", "$.s", '"héllo"', ".a"]);
    if ((name === "index" || name === "slice") && args.length > 1 && this.chance(0.7)) {
      for (let at = 1; at < args.length; at++) args[at] = this.oneOf(["0", "1", "2", "3", '"a"', '"b"', "(len .s)"]);
    }
    return [name, ...args].join(" ");
  }

  /** @param {string} name @param {boolean} piped */
  comparison(name, piped) {
    const kind = this.oneOf([ints, floats, strings, [".s", "$.s", '"a"'], [".n", "1", "(len .s)", "(index .s 0)"]]);
    const count = (name === "eq" && this.chance(0.3) ? 3 : 2) - (piped ? 1 : 0);
    return [name, ...Array.from({ length: count }, () => this.oneOf(kind))].join(" ");
  }

  /** @param {number} depth @param {boolean} piped */
  printf(depth, piped) {
    let format = "";
    const count = 1 + Math.floor(this.random() * 3);
    for (let at = 0; at < count; at++) format += this.oneOf(["", " ", "x", "é"]) + this.directive();
    const extra = this.chance(0.15) ? Math.floor(this.random() * 3) - 1 : 0;
    const args = Array.from({ length: Math.max(count + extra - (piped ? 1 : 0), 0) }, () => this.operand(depth - 1));
    return [`printf ${JSON.stringify(format)}`, ...args].join(" ");
  }

  directive() {
    let text = "%";
    while (this.chance(0.35)) text += this.oneOf([..."+-# 0"]);
    if (this.chance(0.08)) text += `[${this.oneOf(["1", "2", "3", "0", "x", "", "9"])}]`;
    if (this.chance(0.3)) text += this.oneOf(["1", "3", "8", "12", "20", "*", "1000000000"]);
    if (this.chance(0.3)) text += `.${this.oneOf(["", "0", "1", "2", "3", "5", "10", "20", "*", "[1]*"])}`;
    if (this.chance(0.05)) text += `[${this.oneOf(["1", "2", "3"])}]`;
    return text + (this.chance(0.98) ? this.oneOf(verbs) : "");
  }

  /** @param {number} depth @returns {string} */
  operand(depth) {
    const kind = this.random();
    if (kind < 0.35) return this.field();
    if (kind < 0.42) return ".";
    if (kind < 0.52 && this.variables.length > 0)
      return this.oneOf(this.variables) + (this.chance(0.3) ? this.field() : "");
    if (kind < 0.56) return "$" + (this.chance(0.7) ? this.field() : "");
    if (kind < 0.7 && depth > 0) return `(${this.pipeline(depth - 1)})${this.chance(0.3) ? this.field() : ""}`;
    if (kind < 0.705) return this.oneOf(functions);
    return this.literal();
  }

  literal() {
    const kind = this.random();
    if (kind < 0.02) return this.oneOf(refused);
    if (kind < 0.06) return this.oneOf(complexes);
    if (kind < 0.12) return this.oneOf(["true", "false"]);
    return this.oneOf(kind < 0.4 ? ints : kind < 0.6 ? floats : strings);
  }

  field() {
    let text = `.${this.oneOf(keys)}`;
    while (this.chance(0.2)) text += `.${this.oneOf(keys)}`;
    return text;
  }

  /** Cuts out, doubles or inserts something. @param {string} text */
  damaged(text) {
    let result = text;
    const count = 1 + Math.floor(this.random() * 2);
    for (let at = 0; at < count; at++) {
      const from = Math.floor(this.random() * result.length);
      const to = Math.min(result.length, from + Math.floor(this.random() * 5));
      const piece = this.oneOf([
        "",
        "",
        result.slice(from, to).repeat(2),
        "{{",
        "}}",
        "\n",
        " ",
        "(",
        ")",
        "|",
        '"',
        "`",
        "'",
        ".",
        "$",
        "-",
        "=",
        ":=",
        ",",
        "{{end}}",
        "{{else}}",
        "é",
        "1",
        "e",
        "_",
        "+",
        "i",
        "/*",
        "*/",
        "\\",
        "nil",
      ]);
      result = result.slice(0, from) + piece + result.slice(to);
    }
    return result.toWellFormed();
  }
}
