/** A part that is made when it is first asked for; `made` tells whether it was. */
interface Once<T> {
  (): Promise<T>;
  made: boolean;
}

export function once<T>(make: () => Promise<T>): Once<T> {
  let value: Promise<T> | undefined;
  const get: Once<T> = Object.assign(
    () => {
      get.made = true;
      return (value ??= make());
    },
    { made: false },
  );
  return get;
}
