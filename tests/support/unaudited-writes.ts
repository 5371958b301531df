import { type SourceFile, type SourceFunction, sourceFunctions } from './source-functions'

const recordAudit = 'lib/audit/record-audit.ts#recordAudit'

/** Why something is not audited: by table (bookkeeping nobody decided) or by function. */
export type Exempt = { models: Record<string, string>; places: Record<string, string> }

/** `excuses`: entries of the allow-list that excuse nothing any more. */
export type Finding = { unaudited: string[]; excuses: string[] }

/**
 * Functions that change what is stored without leaving a line in the audit. A function is covered when it records the
 * change itself or through a part of its transaction; a part of a transaction also when all who call it are covered.
 * A write outside of a transaction never is, for its line could be lost.
 */
export function unauditedWrites(
  files: readonly SourceFile[],
  modelOfTable: ReadonlyMap<string, string>,
  exempt: Exempt,
): Finding {
  const all = sourceFunctions(files, new Set([...modelOfTable].flat()))
  const known = new Map(all.map((each) => [each.place, each]))
  const callers = callersOf(all)
  const used = new Set<string>()
  const unaudited = all.flatMap((each) => {
    const writes = each.writes.filter(({ model }) => {
      const name = modelOfTable.get(model) ?? model
      if (!(name in exempt.models)) return true
      used.add(name)
      return false
    })
    if (writes.length === 0) return []
    const safe = !writes.some(({ outside }) => outside) && isCovered(each.place, known, callers)
    if (safe) return []
    if (each.place in exempt.places) {
      used.add(each.place)
      return []
    }
    return [`${each.place} writes ${[...new Set(writes.map(({ model }) => model))].join(', ')}`]
  })
  const listed = [...Object.keys(exempt.models), ...Object.keys(exempt.places)]
  return { unaudited, excuses: listed.filter((entry) => !used.has(entry)) }
}

type Known = ReadonlyMap<string, SourceFunction>

function isCovered(
  place: string,
  known: Known,
  callers: ReadonlyMap<string, string[]>,
  asked = new Set<string>(),
): boolean {
  if (asked.has(place)) return true
  asked.add(place)
  if (records(place, known)) return true
  if (!known.get(place)?.isPart) return false
  const above = callers.get(place) ?? []
  return above.length > 0 && above.every((caller) => isCovered(caller, known, callers, asked))
}

/** Whether it reaches `recordAudit`, itself or through parts of its transaction. */
function records(place: string, known: Known, seen = new Set<string>()): boolean {
  if (seen.has(place)) return false
  seen.add(place)
  const here = known.get(place)
  if (!here) return false
  const { uses, fills } = here
  if (uses.includes(recordAudit)) return true
  if (fills.some((filled) => known.get(filled)?.uses.includes(recordAudit))) return true
  return uses.some((used) => known.get(used)?.isPart && records(used, known, seen))
}

function callersOf(all: readonly SourceFunction[]): Map<string, string[]> {
  const callers = new Map<string, string[]>()
  for (const { place, uses } of all) {
    for (const used of new Set(uses)) callers.set(used, [...(callers.get(used) ?? []), place])
  }
  return callers
}
