import { type SourceFile, type SourceFunction, sourceFunctions } from './source-functions'

export const changePolicy = new Set([
  'lib/kernel/locks.ts#changePolicy',
  'lib/kernel/locks.ts#beginPolicyChange',
])
/** A verb audits what it returns as changed. */
export const recordAudit = new Set([
  'lib/domains/audit/record-audit.ts#recordAudit',
  'lib/kernel/verb.ts#changed',
])

/** Why something is not audited: by table (bookkeeping nobody decided) or by function. */
export type Exempt = { models: Record<string, string>; places: Record<string, string> }

/** `excuses`: entries of the allow-list that excuse nothing any more. */
export type Finding = { uncovered: string[]; excuses: string[] }

/**
 * Returns the functions that change what is stored without calling one of `wanted`, such as `recordAudit`. A function
 * is covered when it calls it itself or through a part of its transaction; a part of a transaction also when all who
 * call it are covered. A write outside of a transaction never is.
 */
export function uncoveredWrites(
  wanted: ReadonlySet<string>,
  files: readonly SourceFile[],
  modelOfTable: ReadonlyMap<string, string>,
  exempt: Exempt,
): Finding {
  const all = sourceFunctions(files, new Set([...modelOfTable].flat()))
  const known = new Map(all.map((each) => [each.place, each]))
  const callers = callersOf(all)
  const used = new Set<string>()
  const uncovered = all.flatMap((each) => {
    const writes = each.writes.filter(({ model }) => {
      const name = modelOfTable.get(model) ?? model
      if (!(name in exempt.models)) return true
      used.add(name)
      return false
    })
    if (writes.length === 0) return []
    const safe =
      !writes.some(({ outside }) => outside) && isCovered(each.place, { wanted, known, callers })
    if (safe) return []
    if (each.place in exempt.places) {
      used.add(each.place)
      return []
    }
    return [`${each.place} writes ${[...new Set(writes.map(({ model }) => model))].join(', ')}`]
  })
  const listed = [...Object.keys(exempt.models), ...Object.keys(exempt.places)]
  return { uncovered, excuses: listed.filter((entry) => !used.has(entry)) }
}

type Known = ReadonlyMap<string, SourceFunction>
type Search = { wanted: ReadonlySet<string>; known: Known; callers: ReadonlyMap<string, string[]> }

function isCovered(place: string, search: Search, asked = new Set<string>()): boolean {
  if (asked.has(place)) return true
  asked.add(place)
  if (reaches(place, search)) return true
  if (!search.known.get(place)?.isPart) return false
  const above = search.callers.get(place) ?? []
  return above.length > 0 && above.every((caller) => isCovered(caller, search, asked))
}

/** Returns whether a function calls what is wanted, itself or through other functions of its transaction. */
function reaches(place: string, search: Search, seen = new Set<string>()): boolean {
  if (seen.has(place)) return false
  seen.add(place)
  const { wanted, known } = search
  const here = known.get(place)
  if (!here) return false
  const { uses, fills } = here
  if (uses.some((used) => wanted.has(used))) return true
  if (fills.some((filled) => known.get(filled)?.uses.some((used) => wanted.has(used)))) return true
  return uses.some((used) => known.get(used)?.isPart && reaches(used, search, seen))
}

function callersOf(all: readonly SourceFunction[]): Map<string, string[]> {
  const callers = new Map<string, string[]>()
  for (const { place, uses } of all) {
    for (const used of new Set(uses)) callers.set(used, [...(callers.get(used) ?? []), place])
  }
  return callers
}
