/** The best of five: what the work costs, not what else the machine was doing. */
export function fastestMs(work: () => unknown): number {
  const times = Array.from({ length: 5 }, () => {
    const startedAt = performance.now()
    work()
    return performance.now() - startedAt
  })
  return Math.min(...times)
}
