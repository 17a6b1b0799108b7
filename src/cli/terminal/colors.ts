import { marked } from "./marks.ts";

/** Colours with meaning. Ours, because the usual packages look at the terminal when they are loaded, which takes time. */
export interface Colors {
  enabled: boolean;
  bold: Paint;
  dim: Paint;
  italic: Paint;
  underline: Paint;
  red: Paint;
  green: Paint;
  yellow: Paint;
  blue: Paint;
  magenta: Paint;
  cyan: Paint;
}

type Paint = (text: string) => string;

export function makeColors(enabled: boolean): Colors {
  // A style inside another one ends with the same code; what follows must be opened again.
  const paint = (open: string, close: string): Paint => {
    if (!enabled) return (text) => text;
    const [begin, end] = [marked(`\x1b[${open}m`), marked(`\x1b[${close}m`)];
    return (text) => `${begin}${text.replaceAll(end, end + begin)}${end}`;
  };
  return {
    enabled,
    bold: paint("1", "22"),
    dim: paint("2", "22"),
    italic: paint("3", "23"),
    underline: paint("4", "24"),
    red: paint("31", "39"),
    green: paint("32", "39"),
    yellow: paint("33", "39"),
    blue: paint("34", "39"),
    magenta: paint("35", "39"),
    cyan: paint("36", "39"),
  };
}
