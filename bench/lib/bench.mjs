import { buildParts } from "./bundle.mjs";
import { Program } from "./program.mjs";
import { Repository } from "./repository.mjs";
import { sessionsOf } from "./sessions.mjs";
import { spawnSync } from "node:child_process";

/** @typedef {import("./rows.mjs").Row} Row */
/** @typedef {{ repository: Repository, bytes: number, indexMs: number }} Collection */

/** What all figures share: the program, the place, the sizes, and collections of sessions that are made once. */
export class Bench {
  /** @type {Map<number, Promise<Collection>>} */
  #collections = new Map();
  /** @type {Map<Repository, number>} */
  #searchMs = new Map();

  /**
   * @param {import("./place.mjs").Place} place
   * @param {import("./sizes.mjs").Sizes} sizes
   * @param {Awaited<ReturnType<typeof buildParts>>} built
   */
  constructor(place, sizes, built) {
    this.place = place;
    this.sizes = sizes;
    this.partsFile = built.file;
    this.parts = built.parts;
    this.program = new Program(place);
  }

  /**
   * @param {import("./place.mjs").Place} place
   * @param {import("./sizes.mjs").Sizes} sizes
   */
  static async open(place, sizes) {
    return new Bench(place, sizes, await buildParts(place));
  }

  /** @param {string} text */
  say(text) {
    process.stderr.write(`  ${text}\n`);
  }

  /** @param {string} name */
  repository(name) {
    return new Repository(this.program, this.place, name);
  }

  /**
   * A repository with `count` sessions that are committed and in the index. One more session is active.
   * @param {number} count
   * @returns {Promise<Collection>}
   */
  sessions(count) {
    let made = this.#collections.get(count);
    if (!made) this.#collections.set(count, (made = this.#makeSessions(count)));
    return made;
  }

  /** Builds the full-text search when that was not done yet; returns how long it took. @param {Collection} collection */
  searchBuilt({ repository }) {
    let tookMs = this.#searchMs.get(repository);
    if (tookMs === undefined) {
      const startMs = performance.now();
      repository.clew("search", "anything", "--json");
      tookMs = performance.now() - startMs;
      this.#searchMs.set(repository, tookMs);
      this.say(`search built in ${(tookMs / 1000).toFixed(1)} s`);
      this.settle();
    }
    return tookMs;
  }

  /** Lets the disk finish what it was given, so that the next sync pays only for itself. */
  settle() {
    spawnSync("sync");
  }

  /**
   * @param {number} count
   * @returns {Promise<Collection>}
   */
  async #makeSessions(count) {
    const repository = this.repository(`sessions-${count}`);
    const startMs = performance.now();
    const { bytes } = await repository.add(sessionsOf(this.parts, count, this.sizes.sessionBytes));
    this.settle();
    const madeMs = performance.now() - startMs;
    const beforeMs = performance.now();
    repository.clew("session", "list");
    const indexMs = performance.now() - beforeMs;
    repository.start("The one that is active");
    this.settle();
    const [mb, made, index] = [bytes / 1e6, madeMs / 1000, indexMs / 1000].map((each) => each.toFixed(1));
    this.say(`${count} sessions, ${mb} MB: made in ${made} s, index built in ${index} s`);
    return { repository, bytes, indexMs };
  }
}

/** @param {number} value */
export function grouped(value) {
  return value.toLocaleString("en-US");
}
