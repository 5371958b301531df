const resets: (() => void)[] = []

/**
 * Keeps state of this process, such as counts that all its requests share. Tests share a process, too: each file of them
 * begins with state as it is made here.
 */
export function processState<T>(make: () => T): { value: T } {
  const state = { value: make() }
  resets.push(() => {
    state.value = make()
  })
  return state
}

/** Makes all such state anew, for the next file of tests. */
export function resetProcessState(): void {
  for (const reset of resets) reset()
}
