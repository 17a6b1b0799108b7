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

export function writeName(name: string): string {
  return name === "" ? "%" : name.replaceAll("%", "%25").replaceAll(" ", "%20");
}

function readName(written: string): string {
  return written === "%" ? "" : written.replaceAll("%20", " ").replaceAll("%25", "%");
}
