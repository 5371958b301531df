/** Longer names are compared by their beginning: the work grows with the square of the length. */
const mostCharacters = 100

/** Returns `Did you mean "…"?` for the known name that is nearest to a misspelt one; empty when none is near. */
export function didYouMean(wanted: string, known: Iterable<string>): string {
  const name = nearestName(wanted, known)
  return name === null ? '' : `Did you mean "${name}"?`
}

/** Returns `There is no tool "…". Did you mean "…"?` */
export function unknownName(what: string, name: string, known: Iterable<string>): string {
  return `There is no ${what} "${name.slice(0, 100)}". ${didYouMean(name, known)}`.trimEnd()
}

/** Returns the known name that takes the fewest changes, at most a third of the wanted one's letters; null = none. */
export function nearestName(wanted: string, known: Iterable<string>): string | null {
  const plainName = plain(wanted)
  let best = {
    name: null as string | null,
    distance: 1 + Math.max(1, Math.floor(plainName.length / 3)),
  }
  for (const name of known) {
    const distance = editDistance(plainName, plain(name))
    if (distance < best.distance) best = { name, distance }
  }
  return best.name
}

/** Returns the longest known name that stands in a text, between other characters than letters and digits; null = none. */
export function namedIn(text: string, known: Iterable<string>): string | null {
  const dashed = `-${plain(text)}-`.replace(/[^\p{L}\p{N}]+/gu, '-')
  const found = [...known].filter((name) => dashed.includes(`-${plain(name)}-`))
  return found.sort((a, b) => b.length - a.length)[0] ?? null
}

/** Returns the name without case and separators, which do not distinguish names for people. */
function plain(name: string): string {
  return name
    .trim()
    .slice(0, mostCharacters)
    .toLowerCase()
    .replace(/[\s_.-]+/g, '-')
}

/** Counts the letters to add, drop, replace or swap with their neighbour. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        at(row, j - 1) + 1,
        at(last, j) + 1,
        at(last, j - 1) + (same ? 0 : 1),
        swapped ? at(beforeLast, j - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforeLast = last
    last = row
  }
  return at(last, b.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY
}
