import type { UsedShare } from "../../contract/session-row.ts";

/**
 * Several names in one cell, joined by a space. A space or percent sign inside a name is written as in a URL and an
 * empty name as a lone percent sign, so that every list comes back as it was.
 */
export function joinNames(names: string[]): string {
  return names.map(writeName).join(" ");
}

export function splitNames(cell: string): string[] {
  return cell === "" ? [] : cell.split(" ").map(readName);
}

const shareNames = ["agent", "channel", "engine", "bead"] as const;
/** The words of one share: whose it is, its tokens, its cost. */
const shareWords = shareNames.length + 2;

/** What a session used, six words for each share: `coder@2 dev claude proj-1 1200 4200`; a lone percent sign where nothing tells. */
export function joinShares(shares: UsedShare[]): string {
  return joinNames(
    shares.flatMap((share) => [
      ...shareNames.map((name) => share[name] ?? ""),
      String(share.tokens ?? ""),
      String(share.cost_micro_usd ?? ""),
    ]),
  );
}

export function splitShares(cell: string): UsedShare[] {
  const words = splitNames(cell).map((word) => (word === "" ? null : word));
  const shares: UsedShare[] = [];
  for (let at = 0; at + shareWords <= words.length; at += shareWords) {
    const [agent, channel, engine, bead, tokens, cost] = words.slice(at, at + shareWords);
    shares.push({
      agent: agent ?? null,
      channel: channel ?? null,
      engine: engine ?? null,
      bead: bead ?? null,
      tokens: tokens == null ? null : Number(tokens),
      cost_micro_usd: cost == null ? null : Number(cost),
    });
  }
  return shares;
}

export function writeName(name: string): string {
  return name === "" ? "%" : name.replaceAll("%", "%25").replaceAll(" ", "%20");
}

function readName(cell: string): string {
  return cell === "%" ? "" : cell.replaceAll("%20", " ").replaceAll("%25", "%");
}
