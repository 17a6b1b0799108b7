import { join, resolve } from "node:path";
import ts from "typescript";

const root = resolve(import.meta.dirname, "../..");
const commandsFolder = join(root, "src/cli");

/**
 * The operations that each command asks for, read from its source: what its action calls as `api.<resource>.<operation>`, also in
 * the functions of the CLI that it calls.
 */
export function askedOperations(): Map<string, Set<string>> {
  const config = ts.getParsedCommandLineOfConfigFile(
    join(root, "tsconfig.json"),
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: () => undefined,
    },
  )!;
  const files = config.fileNames.filter((name) => name.startsWith(commandsFolder) && !name.endsWith(".test.ts"));
  const program = ts.createProgram(files, config.options);
  const checker = program.getTypeChecker();
  const byCommand = new Map<string, Set<string>>();
  for (const file of program.getSourceFiles().filter(({ fileName }) => files.includes(fileName))) {
    forEachNode(file, (node) => {
      if (!ts.isCallExpression(node) || calleeName(node) !== "action") return;
      // What is logged is one of many kinds, and all are one command.
      const command = pathOf(node.expression, checker).replace(/^(session log) .*/, "$1");
      const asked = byCommand.get(command) ?? new Set();
      byCommand.set(command, asked);
      collect(node.arguments[0]!, { checker, asked, passed: new Set() });
    });
  }
  return byCommand;
}

interface Collected {
  checker: ts.TypeChecker;
  asked: Set<string>;
  passed: Set<ts.Node>;
}

function collect(start: ts.Node, collected: Collected): void {
  const { checker, asked, passed } = collected;
  if (passed.has(start)) return;
  passed.add(start);
  forEachNode(start, (node) => {
    if (ts.isCallExpression(node)) {
      const [, operation] = /\bapi\.(\w+\.\w+)$/.exec(node.expression.getText()) ?? [];
      if (operation !== undefined) asked.add(operation);
      follow(checker.getResolvedSignature(node)?.declaration, collected);
    }
    // Functions that are handed on, such as `items.map(block)`.
    if (ts.isIdentifier(node)) {
      for (const declaration of checker.getSymbolAtLocation(node)?.declarations ?? [])
        if (ts.isFunctionDeclaration(declaration)) follow(declaration, collected);
    }
  });
}

function follow(declaration: ts.Node | undefined, collected: Collected): void {
  if (declaration?.getSourceFile().fileName.startsWith(commandsFolder)) collect(declaration, collected);
}

/** The path of the command that an expression gives, as a person types it: `bead dep add`. */
function pathOf(node: ts.Node | undefined, checker: ts.TypeChecker): string {
  if (!node) return "";
  if (ts.isNewExpression(node)) return literal(node.arguments?.[0]) ?? "";
  if (ts.isPropertyAccessExpression(node)) return pathOf(node.expression, checker);
  if (ts.isIdentifier(node)) {
    // A group is handed on under its own name: `defineList(bead, context)`.
    const declaration = checker.getSymbolAtLocation(node)?.valueDeclaration;
    return declaration && ts.isVariableDeclaration(declaration) ? pathOf(declaration.initializer, checker) : node.text;
  }
  if (!ts.isCallExpression(node)) return "";
  const [word] = node.arguments;
  const name = literal(word)?.split(" ")[0];
  if (ts.isPropertyAccessExpression(node.expression)) {
    const group = pathOf(node.expression.expression, checker);
    return calleeName(node) === "command" && name !== undefined ? `${group} ${name}` : group;
  }
  // A function of the file that makes a command of this name, or one that is handed a command and gives it back.
  if (name === undefined) return pathOf(word, checker);
  const made = checker.getResolvedSignature(node)?.declaration;
  return made && ts.isArrowFunction(made) ? `${pathOf(made.body, checker)} ${name}` : "";
}

function literal(node: ts.Node | undefined): string | undefined {
  return node && ts.isStringLiteral(node) ? node.text : undefined;
}

function calleeName({ expression }: ts.CallExpression): string {
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();
}

function forEachNode(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => forEachNode(child, visit));
}
