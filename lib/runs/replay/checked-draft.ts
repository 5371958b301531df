import 'server-only'
import type { Tx } from '@/lib/kernel/db'
import { ValidationError } from '@/lib/kernel/errors'
import { storedConditions } from '@/lib/protocol/rule-condition'
import { requireComparable } from '@/lib/toolset/policy/comparable-conditions'
import { knownNames } from '@/lib/toolset/policy/known-names'
import type { PolicyDraft } from '@/lib/toolset/policy/policy-draft'
import { unknownName } from '@/lib/words/nearest-name'

type Given = { draft: PolicyDraft; configuration: string | null; group: string | null }

/**
 * Returns a draft with its conditions as they would be stored. Throws ValidationError for what could not be stored: a condition
 * that cannot be compared with, a name or an id that does not exist, and an entry that is given twice.
 */
export async function checkedDraft(
  tx: Tx,
  { draft, configuration, group }: Given,
): Promise<PolicyDraft> {
  for (const [place, { rule }] of draft.rules.entries())
    if (rule) requireComparable(rule.conditions, `draft.rules.${place}.rule.`)
  const fields = {
    ...repeated(draft),
    ...(await unknownFields(tx, draft)),
    ...(await unknownIds(tx, { draft, configuration, group })),
  }
  if (Object.keys(fields).length > 0) throw new ValidationError(fields)
  const rules = draft.rules.map(({ id, rule }) => ({
    id,
    rule: rule && {
      ...rule,
      conditions: storedConditions(rule.conditions, rule.action === 'deny'),
    },
  }))
  return { ...draft, rules }
}

function repeated(draft: PolicyDraft): Record<string, string> {
  const lists: [string, readonly ({ name: string } | { id: string })[]][] = Object.entries(draft)
  return Object.fromEntries(
    lists.flatMap(([kind, entries]) => {
      const names = entries.map((entry) => ('name' in entry ? entry.name : entry.id))
      const twice = names.find((name, place) => names.indexOf(name) !== place)
      return twice === undefined ? [] : [[`draft.${kind}`, `${twice} is named twice.`]]
    }),
  )
}

async function unknownFields(tx: Tx, draft: PolicyDraft): Promise<Record<string, string>> {
  const { tools, groups, servers } = await knownNames(tx)
  const unknown = (
    kind: 'tools' | 'toolGroups' | 'servers' | 'toolApprovals' | 'toolLimits',
    noun: string,
    known: ReadonlySet<string>,
  ) =>
    draft[kind].flatMap(({ name }, place): [string, string][] =>
      known.has(name) ? [] : [[`draft.${kind}.${place}.name`, unknownName(noun, name, known)]],
    )
  return Object.fromEntries([
    ...unknown('tools', 'tool', tools),
    ...unknown('toolApprovals', 'tool', tools),
    ...unknown('toolLimits', 'tool', tools),
    ...unknown('toolGroups', 'tool group', groups),
    ...unknown('servers', 'MCP server', servers),
  ])
}

const noSuchGroup = 'One of these groups does not exist.'

async function unknownIds(tx: Tx, { draft, configuration, group }: Given) {
  const configurations = new Set([...draft.configurations.map(({ id }) => id), configuration])
  const groups = new Set([...draft.groups.map(({ id }) => id), group])
  const joined = new Set(draft.people.flatMap(({ joins, leaves }) => [...joins, ...leaves]))
  const people = new Set(draft.people.map(({ id }) => id))
  configurations.delete(null)
  groups.delete(null)
  const idsIn = (ids: ReadonlySet<string | null>) => [...ids].flatMap((id) => id ?? [])
  const where = (ids: ReadonlySet<string | null>) => ({ where: { id: { in: idsIn(ids) } } })
  const foundConfigurations = await tx.configuration.count(where(configurations))
  const foundGroups = await tx.group.count(where(groups))
  const foundJoined = await tx.group.count(where(joined))
  const foundPeople = await tx.user.count({ where: { id: { in: [...people] }, deletedAt: null } })
  return {
    ...(foundConfigurations < configurations.size && {
      'draft.configurations': 'One of these configurations does not exist.',
    }),
    ...(foundGroups < groups.size && { 'draft.groups': noSuchGroup }),
    ...(foundJoined < joined.size && { 'draft.people': noSuchGroup }),
    ...(foundPeople < people.size && { 'draft.people': 'One of these people does not exist.' }),
  }
}
