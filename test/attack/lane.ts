/** One repository under attack. Lanes know nothing of each other and run side by side. */
export interface Lane extends Disposable {
  readonly name: string;
  readonly root: string;
  readonly kills: number;
  /** One act, and now and then a look at whether all is well; throws `Broken` when it is not. */
  act(): Promise<void>;
  /** Nothing more will be done to it: the last look. */
  finish(): Promise<void>;
}

/** Something that Clew promises did not hold. */
export class Broken extends Error {
  constructor(what: string, seen?: unknown) {
    super(seen === undefined ? what : `${what}\n${JSON.stringify(seen, null, 2)}`);
  }
}

export function pick<T>(next: () => number, from: readonly T[]): T {
  return from[Math.floor(next() * from.length)]!;
}
