import type { BackedUpTable } from './backup-file'

/**
 * Returns what tables have or miss that those into which they are restored do not, by name, as the rest of a sentence; null = they fit.
 */
export function misfit(
  tables: readonly BackedUpTable[],
  expected: readonly BackedUpTable[],
): string | null {
  const names = tables.map(({ table }) => table)
  const twice = names.filter((table, place) => names.indexOf(table) < place)
  if (twice.length > 0) return `has a table twice: ${twice.join(', ')}`
  const expectedNames = expected.map(({ table }) => table)
  const columns = (of: readonly BackedUpTable[], known: readonly string[]) =>
    of.flatMap((each) =>
      known.includes(each.table) ? each.columns.map((column) => `${each.table}.${column}`) : [],
    )
  const [own, wanted] = [columns(tables, expectedNames), columns(expected, names)]
  const differences = [
    ['has tables that Toolgate does not make', without(names, expectedNames)],
    ['misses tables', without(expectedNames, names)],
    ['has columns that Toolgate does not make', without(own, wanted)],
    ['misses columns', without(wanted, own)],
  ] as const
  const words = differences.flatMap(([what, found]) =>
    found.length > 0 ? [`${what}: ${found.join(', ')}`] : [],
  )
  return words.length > 0 ? words.join('; it ') : null
}

function without(names: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others)
  return names.filter((name) => !known.has(name))
}
