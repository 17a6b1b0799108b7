import type { TokenShare } from "../../contract/session-row.ts";

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

/** The same with how many tokens each used: `coder@2=1200 tester=90`. Those without a name stand behind a lone percent sign. */
export function joinShares(shares: TokenShare[]): string {
  return shares.map(({ name, tokens }) => `${writeName(name ?? "")}=${tokens}`).join(" ");
}

export function splitShares(cell: string): TokenShare[] {
  if (cell === "") return [];
  return cell.split(" ").map((share) => {
    const at = share.lastIndexOf("=");
    const name = readName(share.slice(0, at));
    return { name: name === "" ? null : name, tokens: Number(share.slice(at + 1)) };
  });
}

export function writeName(name: string): string {
  return name === "" ? "%" : name.replaceAll("%", "%25").replaceAll(" ", "%20");
}

function readName(cell: string): string {
  return cell === "%" ? "" : cell.replaceAll("%20", " ").replaceAll("%25", "%");
}
