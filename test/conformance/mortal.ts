import { Crash } from "../sim/memory-disk.ts";
import type { HeldLocks } from "../../src/adapters/files/held-lock.ts";

/** A process within the test's: once it is dead, nothing reaches the world any more. */
export class Mortal {
  #dead = false;
  readonly #held = new Set<() => void>();

  /** The same part, as this process uses it; also what its methods give, such as open files. */
  part<T extends object>(part: T): T {
    return new Proxy(part, {
      get: (target, name) => {
        const found = Reflect.get(target, name) as unknown;
        if (typeof found !== "function") return found;
        return (...args: unknown[]) => {
          if (this.#dead) throw new Crash("this process is dead");
          const given = Reflect.apply(found, target, args) as unknown;
          return isPart(given) ? this.part(given) : given;
        };
      },
    });
  }

  /** Locks are free at once when their holder dies. */
  locks({ tryAcquire }: HeldLocks): HeldLocks {
    return {
      tryAcquire: (name) => {
        const release = this.#dead ? undefined : tryAcquire(name);
        if (!release) return undefined;
        const letGo = (): void => {
          if (this.#held.delete(letGo)) release();
        };
        this.#held.add(letGo);
        return letGo;
      },
    };
  }

  die(): void {
    this.#dead = true;
    for (const letGo of this.#held) letGo();
  }
}

/** Files and the like have methods of their own; bytes, lists and promises are what they are. */
function isPart(given: unknown): given is object {
  return (
    typeof given === "object" &&
    given !== null &&
    Object.getPrototypeOf(given) === Object.prototype &&
    hasMethods(given)
  );
}

function hasMethods(given: object): boolean {
  return Object.values(given).some((value) => typeof value === "function");
}
