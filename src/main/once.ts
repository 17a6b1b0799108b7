/** A part that is made when it is first asked for. */
export interface Once<T> {
  (): Promise<T>;
  isMade: boolean;
}

export function once<T>(make: () => Promise<T>): Once<T> {
  let value: Promise<T> | undefined;
  const get: Once<T> = Object.assign(
    () => {
      get.isMade = true;
      return (value ??= make());
    },
    { isMade: false },
  );
  return get;
}

/** Closes a part that was made. One that could not be opened need not be closed: the caller that asked for it was told. */
export async function closeIfMade<T>(part: Once<T>, close: (value: T) => unknown): Promise<void> {
  if (part.isMade) await part().then(close, () => undefined);
}
