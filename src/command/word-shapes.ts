import type { CommandExpansionPart, DoubleQuotedChild, WordPart } from "unbash";

/** In a shape: any text. No word of a shell can have it. */
export const anyText = "\0";
/** In a shape: any text without a slash. */
export const anyName = "\u0001";
/** In a shape: any text that leads to no folder above. */
export const anyBelow = "\u0002";

const maxShapes = 64;

/** What a word of these parts may be; undefined when that may be anything. In doubt more. */
export function shapesOf(parts: readonly WordPart[]): string[] | undefined {
  let shapes = [""];
  for (const part of parts) {
    const next = partShapes(part);
    if (next === undefined || shapes.length * next.length > maxShapes) return undefined;
    shapes = shapes.flatMap((shape) => next.map((each) => shape + each));
  }
  return shapes;
}

function partShapes(part: WordPart): string[] | undefined {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return [part.value];
    case "DoubleQuoted":
    case "LocaleString":
      return [part.parts.map(quotedShape).join("")];
    case "Glob":
      return [part.text.startsWith("**") ? anyBelow : anyName];
    case "BraceExpansion":
      return braceShapes(part.text);
    case "ArithmeticExpansion":
      return [anyName];
    case "ProcessSubstitution":
      return [`/dev/fd/${anyName}`];
    // These may become several words.
    case "ExtendedGlob":
    case "SimpleExpansion":
    case "ParameterExpansion":
    case "CommandExpansion":
      return undefined;
  }
}

function quotedShape(part: DoubleQuotedChild): string {
  if (part.type === "Literal") return part.value;
  if (part.type === "ArithmeticExpansion") return anyName;
  return (part.type === "CommandExpansion" ? printedBy(part) : undefined) ?? anyText;
}

/** `$(cat <<'E' …)` is how agents write long texts. */
function printedBy({ script }: CommandExpansionPart): string | undefined {
  const command = script?.commands.length === 1 ? script.commands[0]!.command : undefined;
  if (command?.type !== "Command" || command.name?.value !== "cat" || command.args.length > 0) return undefined;
  const [first, ...more] = command.redirects;
  if (first?.type !== "HereDoc" || more.length > 0) return undefined;
  return (first.body.parts ?? []).every(({ type }) => type === "Literal") ? first.body.text : undefined;
}

function braceShapes(text: string): string[] | undefined {
  if (/^\{[\w-]+\.\.[\w.-]+\}$/.test(text)) return [anyName];
  return /^\{[\w./@,-]+\}$/.test(text) ? text.slice(1, -1).split(",") : undefined;
}
