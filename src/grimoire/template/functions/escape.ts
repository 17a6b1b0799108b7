import { isPrintable } from "../syntax/characters.ts";
import { isBrokenByte, toBytes } from "../utf8.ts";

const htmlEscapes: Readonly<Record<string, string>> = {
  "\0": "\ufffd",
  '"': "&#34;",
  "'": "&#39;",
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
};

export function escapeHtml(text: string): string {
  return text.replace(/[\0"'&<>]/g, (character) => htmlEscapes[character]!);
}

const jsEscapes: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "'": "\\'",
  '"': '\\"',
  "<": "\\u003C",
  ">": "\\u003E",
  "&": "\\u0026",
  "=": "\\u003D",
};

export function escapeJs(text: string): string {
  return text.replace(/[\\'"<>&=\u0000-\u001f\u0080-\u{10ffff}]/gu, (character) => {
    const code = character.codePointAt(0)!;
    if (code >= 0x80 && (isBrokenByte(code) || isPrintable(code))) return character;
    return jsEscapes[character] ?? `\\u${code.toString(16).toUpperCase().padStart(4, "0")}`;
  });
}

/** For a part of a URL's query: a space becomes a plus. */
export function escapeUrlQuery(text: string): string {
  if (text.isWellFormed()) {
    const encoded = encodeURIComponent(text).replace(/[!'()*]/g, (character) => percent(character.charCodeAt(0)));
    return encoded.replaceAll("%20", "+");
  }
  const parts = Array.from(toBytes(text), (byte) => {
    const character = String.fromCharCode(byte);
    if (/[A-Za-z0-9_.~-]/.test(character)) return character;
    return character === " " ? "+" : percent(byte);
  });
  return parts.join("");
}

function percent(byte: number): string {
  return `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
}
