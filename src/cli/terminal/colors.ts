import { markSequence } from "./escape-sequences.ts";

/** The codes that begin and end each style. The usual packages look at the terminal when they are loaded, which takes time. */
const styles = {
  bold: [1, 22],
  dim: [2, 22],
  italic: [3, 23],
  underline: [4, 24],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
} as const;

export type Paint = (text: string) => string;

export type Colors = { enabled: boolean } & Record<keyof typeof styles, Paint>;

export function makeColors(enabled: boolean): Colors {
  // A style inside another one ends with the same code; what follows must be opened again.
  const paint = ([open, close]: readonly [number, number]): Paint => {
    if (!enabled) return (text) => text;
    const [begin, end] = [markSequence(`\x1b[${open}m`), markSequence(`\x1b[${close}m`)];
    return (text) => `${begin}${text.replaceAll(end, end + begin)}${end}`;
  };
  const paints = Object.entries(styles).map(([name, codes]) => [name, paint(codes)]);
  return { enabled, ...(Object.fromEntries(paints) as Record<keyof typeof styles, Paint>) };
}
