const pieceBytes = 1 << 20;

/** Puts texts together as bytes. Each is encoded by itself: one wide character would make all of a long text slow. */
export class ByteWriter {
  #pieces: Buffer[] = [];
  #piece: Buffer | undefined;
  #used = 0;
  /** Bytes so far that were not taken. */
  length = 0;

  write(text: string): void {
    // A code unit takes three bytes at most.
    if (text.length * 3 > pieceBytes) {
      this.#close();
      this.#add(Buffer.from(text));
      return;
    }
    if (!this.#piece || this.#used + text.length * 3 > this.#piece.length) {
      this.#close();
      this.#piece = Buffer.allocUnsafe(pieceBytes);
    }
    const count = this.#piece.write(text, this.#used);
    this.#used += count;
    this.length += count;
  }

  writeBytes(bytes: Uint8Array): void {
    if (!this.#piece || this.#used + bytes.length > this.#piece.length) {
      this.#close();
      this.#piece = Buffer.allocUnsafe(Math.max(pieceBytes, bytes.length));
    }
    this.#piece.set(bytes, this.#used);
    this.#used += bytes.length;
    this.length += bytes.length;
  }

  /** All that was written since the last call. */
  take(): Buffer[] {
    this.#close();
    const pieces = this.#pieces;
    this.#pieces = [];
    this.length = 0;
    return pieces;
  }

  #add(piece: Buffer): void {
    this.#pieces.push(piece);
    this.length += piece.length;
  }

  #close(): void {
    if (this.#piece && this.#used > 0) this.#pieces.push(this.#piece.subarray(0, this.#used));
    this.#piece = undefined;
    this.#used = 0;
  }
}
