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
export function withVersion(agent: string, known: string[]): string {
  if (hasVersion(agent)) return agent;
  return known.findLast((each) => hasVersion(each) && nameOf(each) === agent) ?? agent;
}

/** Each agent once, in the order in which they came: a name without a version is the same agent as one with it. */
export function eachOnce(agents: string[]): string[] {
  const once: string[] = [];
  for (const agent of agents) {
    if (once.includes(agent)) continue;
    const bareAt = once.indexOf(nameOf(agent));
    if (hasVersion(agent) && bareAt >= 0) once[bareAt] = agent;
    else if (hasVersion(agent) || !once.some((each) => nameOf(each) === agent)) once.push(agent);
  }
  return once;
}
