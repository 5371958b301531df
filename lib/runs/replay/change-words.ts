import 'server-only'
import type { Tx } from '@/lib/kernel/db'
import type { PolicyDraft } from '@/lib/toolset/policy/policy-draft'
import { firstWords } from '@/lib/words/clean-text'
import { inSentence, onOrOff } from '@/lib/words/format'

/** The longest description of a change. */
const most = 200

const switched = (isOn: boolean) => inSentence(onOrOff(isOn))

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
  toolLimits: ({ name }) => `limits of ${name}`,
  configurations: ({ id }, nameOf) => `configuration ${nameOf(id)}`,
  groups: ({ id }, nameOf) => `limits of group ${nameOf(id)}`,
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
