import 'server-only'
import type { Tx } from '@/lib/kernel/db'
import type { PolicyDraft } from '@/lib/toolset/policy/policy-draft'
import { firstWords } from '@/lib/words/clean-text'
import { formatCount, inSentence, onOrOff } from '@/lib/words/format'

/** The longest description of a change. */
const most = 200

const switched = (isOn: boolean) => inSentence(onOrOff(isOn))

/** Returns the words of a limit; none if it stays. */
function limitWords(limit: number | null | undefined, of: 'minute' | 'run'): string[] {
  if (limit === undefined) return []
  return [limit === null ? `any number a ${of}` : `${formatCount(limit)} a ${of}`]
}

/** Returns the words of a changed field: "fourEyes" becomes "four eyes", and lists and texts are only named. */
function fieldWords([field, value]: [string, unknown]): string[] {
  if (value === undefined) return []
  if (field === 'enabled') return [switched(value === true)]
  const name = field
    .replace(/MicroUsd$|Ms$/, '')
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return [typeof value === 'boolean' ? `${name} ${switched(value)}` : name]
}

type Names = ReadonlyMap<string, string>

/** The words of each kind of change; `nameOf` returns the name of an id. */
const words: {
  [K in keyof PolicyDraft]: (
    change: PolicyDraft[K][number],
    nameOf: (id: string) => string,
  ) => string
} = {
  rules: ({ id, rule }, nameOf) => (rule ? `rule ${rule.name}` : `without rule ${nameOf(id)}`),
  tools: ({ name, enabled }) => `${name} ${switched(enabled)}`,
  toolGroups: ({ name, enabled }) => `tool group ${name} ${switched(enabled)}`,
  servers: ({ name, enabled }) => `server ${name} ${switched(enabled)}`,
  toolApprovals: ({ name, asks }) => `approval of ${name} ${switched(asks)}`,
  toolLimits: ({ name, perMinute, perRun }) =>
    `${name}: ${[limitWords(perMinute, 'minute'), limitWords(perRun, 'run')].flat().join(', ')}`,
  configurations: ({ id, ...change }, nameOf) =>
    `${nameOf(id)}: ${Object.entries(change).flatMap(fieldWords).join(', ')}`,
  groups: ({ id, limits }, nameOf) =>
    `group ${nameOf(id)}: ${limits === null ? 'no limits' : 'limited'}`,
  people: ({ id }, nameOf) => `groups of ${nameOf(id)}`,
}

/** Returns what a draft changes in one line: "list_users off; rule Ask first". */
export async function changeWords(tx: Tx, draft: PolicyDraft): Promise<string> {
  const names = await namesIn(tx, draft)
  const nameOf = (id: string) => names.get(id) ?? id
  const each = <K extends keyof PolicyDraft>(kind: K) =>
    draft[kind].map((change: PolicyDraft[K][number]) => words[kind](change, nameOf))
  const kinds = Object.keys(words) as (keyof PolicyDraft)[]
  return firstWords(kinds.flatMap(each).join('; '), most) || 'no change'
}

async function namesIn(
  tx: Tx,
  { rules, configurations, groups, people }: PolicyDraft,
): Promise<Names> {
  const of = (changes: readonly { id: string }[]) => ({
    where: { id: { in: changes.map(({ id }) => id) } },
    select: { id: true, name: true },
  })
  const rows = await Promise.all([
    tx.approvalRule.findMany(of(rules.filter(({ rule }) => rule === null))),
    tx.configuration.findMany(of(configurations)),
    tx.group.findMany(of(groups)),
    tx.user.findMany(of(people)),
  ])
  return new Map(rows.flat().map(({ id, name }) => [id, name]))
}
