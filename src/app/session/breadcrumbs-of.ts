import type { Breadcrumb } from "../../contract/breadcrumb.ts";
import { breadcrumbLimits } from "../../contract/breadcrumb-values.ts";
import type { Frontmatter } from "../../contract/session.ts";
import type { Item, PhaseMark } from "../../session/items.ts";
import { isSessionId } from "../../session/session-id.ts";
import type { SessionParts } from "./parts.ts";

type Parts = Pick<SessionParts, "records" | "breadcrumbs">;

/** The breadcrumbs of a session. Those of a subagent's stand in that of the agent it works for; depth 0 is the subagent itself. */
export async function breadcrumbsOf(
  parts: Parts,
  id: string,
  { parent }: Pick<Frontmatter, "parent">,
  body: readonly Item[],
): Promise<Breadcrumb[]> {
  const { breadcrumbs: own } = await parts.breadcrumbs.list(id);
  const origin = originIn(body);
  if (origin === undefined || typeof parent !== "string") return own;
  const all = [...own, ...(await roundsAbove(parts, parent, origin))];
  return all.toSorted((a, b) => Date.parse(a.timestamp) - Date.parse(b.timestamp));
}

/** Which call started the subagent whose session this is, and which transcript tells of it. */
export function originIn(body: readonly Item[]): SubagentOrigin | undefined {
  const phase = body.find((item) => item.kind === "phase");
  const { call, transcript } = (phase?.mark ?? {}) as Partial<PhaseMark>;
  return typeof call === "string" && typeof transcript === "string" ? { call, transcript } : undefined;
}

export interface SubagentOrigin {
  call: string;
  transcript: string;
}

export function isRoundOf({ call, transcript }: Breadcrumb, origin: SubagentOrigin): boolean {
  return call === origin.call && transcript?.file === origin.transcript;
}

/** A subagent may work for one that is a subagent itself: the first session above it that has any of its rounds has them all. */
async function roundsAbove(parts: Parts, parent: string, origin: SubagentOrigin): Promise<Breadcrumb[]> {
  let above: unknown = parent;
  for (let depth = 0; depth < breadcrumbLimits.depth; depth += 1) {
    if (typeof above !== "string" || !isSessionId(above) || !parts.records.exists(above)) return [];
    const { breadcrumbs } = await parts.breadcrumbs.list(above);
    const rounds = breadcrumbs.filter((each) => isRoundOf(each, origin));
    if (rounds.length > 0) return rounds.map((each) => ({ ...each, depth: 0 }));
    above = (await parts.records.read(above)).frontmatter.parent;
  }
  return [];
}
