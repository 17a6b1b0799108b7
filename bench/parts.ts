/** What the bench takes from the program's inside: it writes sessions with the program's own writer, and times its parser. */
export { renderBlock } from "../src/session/frontmatter/frontmatter.ts";
export type { Item } from "../src/session/items.ts";
export { parseItems } from "../src/session/parse.ts";
export { renderItems } from "../src/session/render.ts";
