/**
 * A fingerprint of a set of ids that does not depend on their order: the sums of two hashes of each. Different sets have
 * the same one with a chance of 1 in 2^64.
 */
export class IdSetCheck {
  #a = 0;
  #b = 0;

  add(id: string): void {
    let a = 0x811c9dc5;
    let b = 0x9e3779b9;
    for (let unit = 0; unit < id.length; unit += 1) {
      const code = id.charCodeAt(unit);
      a = Math.imul(a ^ code, 0x01000193);
      b = Math.imul(b ^ code, 0x85ebca6b) ^ (b >>> 15);
    }
    this.#a = (this.#a + mix(a)) >>> 0;
    this.#b = (this.#b + mix(b)) >>> 0;
  }

  /** Takes in a whole set by its fingerprint. */
  addSet(fingerprint: string): void {
    this.#a = (this.#a + Number.parseInt(fingerprint.slice(0, 8), 16)) >>> 0;
    this.#b = (this.#b + Number.parseInt(fingerprint.slice(8), 16)) >>> 0;
  }

  /** 16 hex digits. */
  fingerprint(): string {
    return [this.#a, this.#b].map((sum) => sum.toString(16).padStart(8, "0")).join("");
  }
}

/** Spreads the hash over all its bits: sums of hashes that differ in a few bits only would meet too often. */
function mix(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
