import type { HolePlace, PlacedScript } from "./piece.ts";

/** The script as the shell gets it: every hole a reference to its variable. Throws on a marker: those are for people. */
export function withReferences(script: PlacedScript, nameOf: (id: number) => string): string {
  return script.parts
    .map((part) => {
      if (part.kind === "text") return part.text;
      if (part.kind === "marker") throw new Error("A script with markers is for reading, not for a shell.");
      return reference(part.place, nameOf(part.id));
    })
    .join("");
}

function reference(place: HolePlace, name: string): string {
  if (place === "bare") return `"$${name}"`;
  return place === "single quotes" ? `'"$${name}"'` : `\${${name}}`;
}
