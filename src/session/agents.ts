/** Agents are known as `name` or `name@version`. A name may itself begin with an at sign. */

function versionAt(agent: string): number {
  return agent.lastIndexOf("@");
}

function nameOf(agent: string): string {
  const at = versionAt(agent);
  return at > 0 ? agent.slice(0, at) : agent;
}

function hasVersion(agent: string): boolean {
  return versionAt(agent) > 0;
}

/** The agent with its version, if a known one of that name has one; of several, the one that came last. */
export function withVersion(agent: string, candidates: string[]): string {
  if (hasVersion(agent)) return agent;
  return candidates.findLast((each) => hasVersion(each) && nameOf(each) === agent) ?? agent;
}

/** Each agent once, in the order in which they came: a name without a version is the same agent as one with it. */
export function uniqueAgents(agents: string[]): string[] {
  const unique: string[] = [];
  const placeOf = new Map<string, number>();
  const names = new Set<string>();
  for (const agent of agents) {
    const name = nameOf(agent);
    const isBare = !hasVersion(agent);
    if (placeOf.has(agent) || (isBare && names.has(agent))) continue;
    const barePlace = isBare ? undefined : placeOf.get(name);
    const place = barePlace ?? unique.length;
    if (barePlace !== undefined) placeOf.delete(name);
    unique[place] = agent;
    placeOf.set(agent, place);
    names.add(name);
  }
  return unique;
}
