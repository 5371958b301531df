const parts = 16
const repeats = 5

/**
 * Returns how many times as long `work` takes with an input of `size` as with a sixteenth of it, sixteen times over:
 * about 1 when its time grows with the size alone, 16 when with the square. It compares the best of five measurements in
 * processor time, so neither the machine nor other work on it counts.
 */
export function timeGrowth<T>(
  size: number,
  make: (size: number) => T,
  work: (input: T) => unknown,
): number {
  const measure = (times: number, input: () => T) => {
    const inputs = Array.from({ length: times }, input)
    const before = process.cpuUsage()
    for (const each of inputs) work(each)
    const { user, system } = process.cpuUsage(before)
    return user + system
  }
  const best = (times: number, part: number) =>
    Math.min(...Array.from({ length: repeats }, () => measure(times, () => make(part))))
  return best(1, size) / best(parts, Math.ceil(size / parts))
}

/** The growth that no input may exceed: between that of the size, 1, and that of its square, 16. */
export const mostGrowth = 5
