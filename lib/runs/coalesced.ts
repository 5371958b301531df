/**
 * `work` as something that can be asked for at any rate: it runs once at a time, and however many ask meanwhile, one
 * more run answers them all. Resolves after a run that began no earlier than the ask.
 */
export function coalesced(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  let next: Promise<void> | null = null
  const begin = (): Promise<void> => {
    next = null
    running = work().finally(() => {
      running = null
    })
    return running
  }
  return () => {
    if (next) return next
    if (!running) return begin()
    next = running.then(begin, begin)
    return next
  }
}
