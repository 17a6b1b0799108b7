/** @typedef {import("./draw-window.mjs").Span} Span */

/** @type {Record<string, string>} */
const palette = {
  30: "#6e7681",
  31: "#ff7b72",
  32: "#56d364",
  33: "#e3b341",
  34: "#79c0ff",
  35: "#d2a8ff",
  36: "#76e3ea",
  90: "#6e7681",
};

/**
 * A line that a terminal would colour, as spans.
 * @param {string} line
 * @returns {Span[]}
 */
export function readColors(line) {
  /** @type {Span[]} */
  const spans = [];
  /** @type {Omit<Span, "text">} */
  let style = {};
  for (const part of line.split(/(\u001b\[[\d;]*[a-zA-Z])/)) {
    if (!part.startsWith("\u001b")) {
      if (part !== "") spans.push({ text: part, ...style });
      continue;
    }
    for (const code of part.slice(2, -1).split(";")) style = styled(style, code);
  }
  return spans;
}

/** @param {Omit<Span, "text">} style @param {string} code */
function styled(style, code) {
  if (code === "0" || code === "") return {};
  if (code === "1") return { ...style, isBold: true };
  if (code === "2") return { ...style, isDim: true };
  if (code === "22") return { ...style, isBold: false, isDim: false };
  if (code === "39") return { ...style, color: undefined };
  return palette[code] === undefined ? style : { ...style, color: palette[code] };
}

/**
 * The lines of a session.md as an editor colours markdown.
 * @param {string[]} lines
 * @returns {Span[][]}
 */
export function colorMarkdown(lines) {
  let mark = "#79c0ff";
  return lines.map((line) => {
    if (line.startsWith("#")) return [{ text: line, color: "#79c0ff", isBold: true }];
    if (!line.startsWith(">")) return inline(line);
    const callout = /^> \[!(\w+)\]/.exec(line);
    if (callout) mark = { decision: "#d2a8ff", error: "#ff7b72", user: "#e3b341" }[callout[1] ?? ""] ?? "#79c0ff";
    const text = line.slice(1).trimEnd();
    return [{ text: ">", color: mark }, callout ? { text, color: mark, isBold: true } : { text }];
  });
}

/** @param {string} line @returns {Span[]} */
function inline(line) {
  return line.split(/(`[^`]+`|\*\*[^*]+\*\*|✗)/).flatMap((text) => {
    if (text === "") return [];
    if (text.startsWith("`")) return { text, color: "#a5d6ff" };
    if (text.startsWith("**")) return { text, isBold: true };
    return text === "✗" ? { text, color: "#ff7b72" } : { text };
  });
}
