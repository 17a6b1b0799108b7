import { isPathOrUrl } from "./looks-secret.ts";
import type { SecretRule } from "./rule.ts";
import { isSecretName } from "./secret-names.ts";
import { unicodeEscape } from "../text/unicode-escape.ts";

const minLength = 8;
/** Letters and digits together are rarely a word. */
const minMixedLength = 6;
/** A pattern sees only so much text; longer values are looked for in pieces of like length. */
const maxLength = 8_000;

const urlPassword = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^\s:@/]*:([^\s@/]+)@/;

const ordinary = [
  /^[-+\d.,_: ]+$/, // a number, a date, a time
  /^v?\d{1,5}(?:\.\d{1,5})+(?:-[a-z]{1,10}\.?\d{0,4})?$/, // v1.2.3-rc1
  /^[a-z][a-z.-]*:\d{1,5}$/, // localhost:5432
  /^(?:\*|[a-z]+)(?:[./-][a-z]+)*\.[a-z]{1,4}$/, // src/index.ts, *.test.ts
];

/**
 * What can be told from ordinary text: eight characters, or six that mix letters and digits; not a path, an address, a
 * number, a version, or one or two plain words (of letters only, 24 characters together). To replace those wherever they stand
 * would spoil what is written. A phrase of three words is a secret: no other text has those three in this order.
 */
export function isSecretValue(value: string): boolean {
  if (isPathOrUrl(value) || ordinary.some((form) => form.test(value))) return false;
  if (value.length < minLength) {
    return value.length >= minMixedLength && /[A-Za-z]/.test(value) && /\d/.test(value);
  }
  if (value.length > 24 || value.split(" ").length > 2) return true;
  return !value.split(/[-_. ]/).every((word) => /^(?:[A-Za-z]?[a-z]*|[A-Z]+)$/.test(word));
}

/** URL coding refuses some texts; those stay as they are. */
function recode(convert: (text: string) => string, text: string): string {
  try {
    return convert(text);
  } catch {
    return text;
  }
}

/** A value as it is, in JSON (also twice, and as programs write it that escape more letters), in a URL. */
function plainForms(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1);
  const escaped = [/[&<>\u2028\u2029]/g, /[^\x20-\x7e]/g, /[&<>\u2028\u2029]|[^\x20-\x7e]/g].map((letters) =>
    json.replace(letters, unicodeEscape),
  );
  return [value, json, json.replaceAll("/", "\\/"), JSON.stringify(json).slice(1, -1), ...escaped, ...urlForms(value)];
}

/** Coders differ in the signs that they leave as they are, in the letters of their codes, and in what a blank becomes. */
function urlForms(value: string): string[] {
  const few = recode(encodeURIComponent, value);
  const all = few.replace(/[!'()*~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const paths = [few, all].map((form) => form.replaceAll("%2F", "/"));
  const signs = [few, recode(encodeURI, value), all, all.replaceAll("%2A", "*"), all.replaceAll("%7E", "~"), ...paths];
  const blanks = signs.flatMap((form) => [form, form.replaceAll("%20", "+")]);
  return blanks.flatMap((form) => [form, form.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())]);
}

/**
 * The characters of base64 that the value alone decides, for each of the three places it can take in a group. A
 * character shared with what stands before the value stays in the text: it tells four bits at most.
 */
function base64Forms(value: string): string[] {
  const bytes = Buffer.from(value, "utf8");
  const standard = [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
    return encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
  });
  return [...standard, ...standard.map((form) => form.replace(/\+/g, "-").replace(/\//g, "_"))];
}

/** What to look for: each form once, long ones in pieces, none too short to be told from ordinary text. */
function literals(forms: string[], shortest: number): string[] {
  const pieces = new Set<string>();
  for (const form of forms) {
    if (form.length < shortest) continue;
    const length = Math.ceil(form.length / Math.ceil(form.length / maxLength));
    for (let start = 0; start < form.length; start += length) pieces.add(form.slice(start, start + length));
  }
  return [...pieces];
}

const anyOf = (texts: string[]): string => texts.map((text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")).join("|");

/** One rule for each value, with every way of writing it. */
function ruleFor(id: string, value: string): SecretRule {
  const plain = literals(plainForms(value), 0);
  const base64 = literals(base64Forms(value), minLength);
  // The last character of base64 may hold bits of what follows, too.
  const pattern = base64.length === 0 ? anyOf(plain) : `(?:${anyOf(plain)})|(?:${anyOf(base64)})[\\w+/-]?={0,2}`;
  return { id, hints: [...plain, ...base64], pattern: new RegExp(pattern) };
}

/** The rules for the values that must not appear: secrets of the environment, and those given. */
export function valueRules(env: Record<string, string | undefined>, extraValues: readonly string[]): SecretRule[] {
  const ids = new Map<string, string>();
  const add = (value: string, id: string): void => {
    if (!ids.has(value)) ids.set(value, id);
  };
  for (const [name, setting] of Object.entries(env)) {
    const value = setting?.trim() ?? "";
    const id = `env ${name.replace(/\W/g, "_").slice(0, 64)}`;
    if (isSecretName(name) && isSecretValue(value)) add(value, id);
    const password = recode(decodeURIComponent, urlPassword.exec(value)?.[1] ?? "");
    if (isSecretValue(password)) add(password, id);
  }
  for (const value of extraValues) if (value.trim().length >= 4) add(value.trim(), "value");
  return Array.from(ids, ([value, id]) => ruleFor(id, value));
}
