import type { Json } from "../../contract/grimoire.ts";
import type { Colors } from "./colors.ts";
import { cleanLine } from "./clean.ts";

/** `1 bead`, `3 beads`. */
export function count(quantity: number, noun: string): string {
  return `${quantity} ${noun}${quantity === 1 ? "" : "s"}`;
}

/** A path as it is named from the folder that it is in; any other stays as it is. */
export function pathFrom(folder: string, path: string): string {
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
}

/** A value as a person would write it. */
export function valueText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A name and a value in each line; those without a value are left out. */
export function factLines(
  { dim }: Colors,
  facts: [name: string, value: string | undefined][],
  nameWidth: number,
): string[] {
  return facts.flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [`  ${dim(name.padEnd(nameWidth))} ${cleanLine(value)}`],
  );
}
