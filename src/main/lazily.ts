/**
 * A resource of the API that is put together when it is first asked something. Every operation is asynchronous, so that
 * callers see no difference.
 */
export function lazily<Resource extends object>(load: () => Promise<Resource>): Resource {
  let loading: Promise<Resource> | undefined;
  const call =
    (name: keyof Resource) =>
    async (...args: unknown[]): Promise<unknown> => {
      const resource = await (loading ??= load());
      return (resource[name] as (...each: unknown[]) => unknown)(...args);
    };
  return new Proxy({} as Resource, { get: (_, name) => call(name as keyof Resource) });
}
