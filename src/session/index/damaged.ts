/** The index on disk does not hold together. It is a projection: the way out is always to rebuild it. */
export class IndexDamaged extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(`the session index is damaged: ${message}`, options);
    this.name = "IndexDamaged";
  }
}
