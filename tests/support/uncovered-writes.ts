import { type SourceFile, type SourceFunction, sourceFunctions } from './source-functions'

export const changePolicy = new Set([
  'lib/kernel/policy-lock.ts#changePolicy',
  'lib/kernel/policy-lock.ts#beginPolicyChange',
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
 * Returns the verbs and functions that change what is stored, by themselves or through parts of their transaction, and
 * nowhere use one of `wanted`, such as `recordAudit`. A write outside of a transaction is never covered.
 */
export function uncoveredWrites(
  wanted: ReadonlySet<string>,
  files: readonly SourceFile[],
  modelOfTable: ReadonlyMap<string, string>,
  exempt: Exempt,
): Finding {
  const all = sourceFunctions(files, new Set([...modelOfTable].flat()))
  const known = new Map(all.map((each) => [each.place, each]))
  const used = new Set<string>()
  const isExcused = (list: Record<string, string>, name: string) => {
    if (name in list) used.add(name)
    return name in list
  }
  const writesOf = ({ place, isPart, writes }: SourceFunction) => {
    const counted = writes.filter(
      ({ model }) => !isExcused(exempt.models, modelOfTable.get(model) ?? model),
    )
    return isPart && counted.length > 0 && isExcused(exempt.places, place) ? [] : counted
  }
  const uncovered = all.flatMap((each) => {
    if (each.isPart) return []
    const whole = withParts(each, known)
    const writes = whole.flatMap(writesOf)
    const isCovered = whole.some(({ uses }) => uses.some((place) => wanted.has(place)))
    if (writes.length === 0 || (isCovered && !writes.some(({ outside }) => outside))) return []
    if (isExcused(exempt.places, each.place)) return []
    return [`${each.place} writes ${[...new Set(writes.map(({ model }) => model))].join(', ')}`]
  })
  const listed = [...Object.keys(exempt.models), ...Object.keys(exempt.places)]
  return { uncovered, excuses: listed.filter((entry) => !used.has(entry)) }
}

/** Returns a function with all parts of its transaction. */
function withParts(
  whole: SourceFunction,
  known: ReadonlyMap<string, SourceFunction>,
): SourceFunction[] {
  const found = new Set([whole])
  for (const each of found) {
    for (const place of each.uses) {
      const part = known.get(place)
      if (part?.isPart) found.add(part)
    }
  }
  return [...found]
}
