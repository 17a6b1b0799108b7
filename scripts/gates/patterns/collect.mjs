import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";

/**
 * A regular expression of the source. `source` is missing when only the running program knows it; `isRule` says that it is
 * a rule of the redactor, which runs it in a way of its own.
 * @typedef {{ file: string, line: number, text: string, source?: string, flags: string, isRule?: boolean }} Pattern
 */

/**
 * All regular expressions of a file: literals, and those made of constants of this file or of those that it imports.
 * @param {string} root
 * @param {string} file
 * @returns {Pattern[]}
 */
export function patternsOf(root, file) {
  const source = parse(root, file);
  /** @type {Pattern[]} */
  const found = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    const pattern = readPattern(root, source, node);
    if (pattern) {
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      found.push({ file, line, text: node.getText(), isRule: isRule(node), ...pattern });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/**
 * @param {string} root
 * @param {ts.SourceFile} source
 * @param {ts.Node} node
 * @returns {{ source?: string, flags: string } | undefined}
 */
function readPattern(root, source, node) {
  if (ts.isRegularExpressionLiteral(node)) return readLiteral(node.text);
  if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return undefined;
  if (node.expression.getText() !== "RegExp") return undefined;
  const [body, flags] = node.arguments ?? [];
  const made = body && valueOf(root, source, body);
  const literal = made !== undefined && body && isLiteralName(source, body) ? readLiteral(made) : undefined;
  return {
    ...(made !== undefined && { source: literal?.source ?? made }),
    flags: flags && ts.isStringLiteral(flags) ? flags.text : (literal?.flags ?? ""),
  };
}

/**
 * `{ hints: […], pattern: /…/ }`
 * @param {ts.Node} node
 */
function isRule({ parent }) {
  if (!ts.isPropertyAssignment(parent) || parent.name.getText() !== "pattern") return false;
  return parent.parent.properties.some((property) => property.name?.getText() === "hints");
}

/** @param {string} text */
function readLiteral(text) {
  const end = text.lastIndexOf("/");
  return { source: text.slice(1, end), flags: text.slice(end + 1) };
}

/**
 * Whether the name stands for a literal such as `/x/`.
 * @param {ts.SourceFile} source
 * @param {ts.Node} node
 */
function isLiteralName(source, node) {
  const given = ts.isIdentifier(node) ? initializerOf(source, node.text) : undefined;
  return given !== undefined && ts.isRegularExpressionLiteral(given);
}

/**
 * The text that an expression stands for; undefined when it takes the running program to know.
 * @param {string} root
 * @param {ts.SourceFile} source
 * @param {ts.Node} node
 * @returns {string | undefined}
 */
function valueOf(root, source, node) {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (ts.isRegularExpressionLiteral(node)) return node.text;
  if (ts.isParenthesizedExpression(node)) return valueOf(root, source, node.expression);
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const parts = [valueOf(root, source, node.left), valueOf(root, source, node.right)];
    return parts.includes(undefined) ? undefined : parts.join("");
  }
  if (ts.isTaggedTemplateExpression(node)) {
    return node.tag.getText() === "String.raw" ? templateText(root, source, node.template, true) : undefined;
  }
  if (ts.isTemplateExpression(node)) return templateText(root, source, node, false);
  if (!ts.isIdentifier(node)) return undefined;
  const given = initializerOf(source, node.text);
  if (given) return valueOf(root, source, given);
  const from = importOf(source, node.text);
  return from === undefined ? undefined : exportedValue(root, join(dirname(source.fileName), from), node.text);
}

/**
 * @param {string} root
 * @param {ts.SourceFile} source
 * @param {ts.TemplateLiteral} template
 * @param {boolean} raw
 */
function templateText(root, source, template, raw) {
  /** @param {ts.TemplateLiteralLikeNode} part */
  const textOf = (part) => (raw ? (part.rawText ?? part.text) : part.text);
  if (ts.isNoSubstitutionTemplateLiteral(template)) return textOf(template);
  let text = textOf(template.head);
  for (const { expression, literal } of template.templateSpans) {
    const value = valueOf(root, source, expression);
    if (value === undefined) return undefined;
    text += value + textOf(literal);
  }
  return text;
}

/**
 * What a `const` at the top of a file is set to.
 * @param {ts.SourceFile} source
 * @param {string} name
 */
function initializerOf(source, name) {
  return source.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations])
    .find((declaration) => ts.isIdentifier(declaration.name) && declaration.name.text === name)?.initializer;
}

/**
 * @param {ts.SourceFile} source
 * @param {string} name
 */
function importOf(source, name) {
  const found = source.statements.filter(ts.isImportDeclaration).find(({ importClause }) => {
    const names = importClause?.namedBindings;
    return names && ts.isNamedImports(names) && names.elements.some((element) => element.name.text === name);
  });
  return found && ts.isStringLiteral(found.moduleSpecifier) ? found.moduleSpecifier.text : undefined;
}

/**
 * @param {string} root
 * @param {string} file
 * @param {string} name
 */
function exportedValue(root, file, name) {
  const source = parse(root, file);
  const given = initializerOf(source, name);
  return given && valueOf(root, source, given);
}

/**
 * @param {string} root
 * @param {string} file
 */
function parse(root, file) {
  return ts.createSourceFile(file, readFileSync(join(root, file), "utf8"), ts.ScriptTarget.Latest, true);
}
