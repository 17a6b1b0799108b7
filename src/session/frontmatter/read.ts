import type { Frontmatter } from "../../contract/session.ts";
import { Damaged, innerText, readValues, type FrontmatterBlock } from "./frontmatter.ts";

/** The frontmatter as data, checked. Loads the YAML reader only for what Clew would not have written itself. */
export async function readFrontmatter(block: FrontmatterBlock): Promise<Frontmatter> {
  const values = readValues(block) ?? (await import("./yaml.ts")).readYaml(innerText(block));
  const { firstProblem, frontmatterSchema } = await import("../../contract/session-schema.ts");
  const result = frontmatterSchema.safeParse(withoutNulls(values));
  if (!result.success) throw new Damaged(`frontmatter: ${firstProblem(result.error)}`);
  return { ...result.data, title: result.data.title ?? result.data.session_id } as Frontmatter;
}

/** `channel:` with nothing behind it means: no channel. */
function withoutNulls(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}
