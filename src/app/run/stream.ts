/**
 * What `work` tells, in order, as a stream. The work begins when the stream is first asked, and is aborted when its reader
 * leaves; the stream then ends once the work has. Gives what the work gives, or throws what it throws, after all that it told.
 */
export async function* streamOf<Item, Result>(
  work: (tell: (item: Item) => void, signal: AbortSignal) => Promise<Result>,
  signal?: AbortSignal,
): AsyncGenerator<Item, Result, undefined> {
  const leaving = new AbortController();
  const items: Item[] = [];
  let isOver = false;
  let wake = (): void => undefined;
  const tell = (item: Item): void => {
    items.push(item);
    wake();
  };
  const working = work(tell, signal ? AbortSignal.any([signal, leaving.signal]) : leaving.signal);
  const workEnd = working
    .catch(() => undefined)
    .finally(() => {
      isOver = true;
      wake();
    });
  try {
    for (;;) {
      // As many as have come, and those that come meanwhile after them.
      for (const item of items.splice(0)) yield item;
      if (items.length > 0) continue;
      if (isOver) return await working;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    leaving.abort();
    await workEnd;
  }
}
