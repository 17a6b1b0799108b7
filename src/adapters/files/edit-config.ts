import { isMap, isScalar, LineCounter, parse, parseDocument, type Document } from "yaml";
import { ClewError } from "../../contract/errors.ts";
import { yamlWords } from "../../contract/yaml-messages.ts";
import { settingText } from "./config-file.ts";

/**
 * The text of a settings file with one value changed. A value of one line is replaced in its line, a new one is appended;
 * parts of a mapping are set in it. Comments and the order of everything else stay.
 */
export function editConfig(text: string, path: string[], value: unknown, file: string): string {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: "silent" });
  const problem = document.errors[0];
  if (problem) {
    const { line, col } = lines.linePos(problem.pos[0]);
    const { message, hint } = yamlWords(problem);
    throw new ClewError(
      "invalid_config",
      `${file}: line ${line}, column ${col}: ${message}`,
      `mend the file first${hint === undefined ? "" : `: ${hint}`}; it is YAML, one \`setting: value\` a line`,
    );
  }
  return editLine(text, document, path, value) ?? rewrite(document, path, value);
}

/** Undefined when more than a line has to change. */
function editLine(text: string, document: Document, path: string[], value: unknown): string | undefined {
  const node: unknown = document.getIn(path, true);
  if (isScalar(node) && node.range && !["BLOCK_FOLDED", "BLOCK_LITERAL"].includes(node.type ?? "")) {
    const [start, end] = node.range;
    const before = text.slice(0, start);
    return `${before}${/\s$/.test(before) ? "" : " "}${flowText(value)}${text.slice(end)}`;
  }
  if (path.length > 1 || document.has(path[0])) return undefined;
  const isOpen = document.contents === null || (isMap(document.contents) && !document.contents.flow);
  if (!isOpen || /^(?:---|\.\.\.)/m.test(text)) return undefined;
  const end = text === "" || text.endsWith("\n") ? "" : "\n";
  return `${text}${end}${path[0]}: ${flowText(value)}\n`;
}

function rewrite(document: Document, path: string[], value: unknown): string {
  document.setIn(path, value);
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

/** A value as YAML in one line. */
function flowText(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value).replaceAll(/([,:])(?=["[{\dtfn])/g, "$1 ");
  return /^[A-Za-z0-9./_-]+$/.test(value) && settingText(parse(value)) === value ? value : JSON.stringify(value);
}
