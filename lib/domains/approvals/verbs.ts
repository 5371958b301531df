import { storedConditions } from '@/lib/protocol/rule-condition'
import {
  actionWords,
  approvalRules,
  asksForNothing,
  asksForSomething,
  missingWords,
  scopeWords,
} from './shape'
import 'server-only'
import { resourceVerbs } from '@/lib/edge/resource-verbs'
import type { Tx } from '@/lib/kernel/db'
import { ValidationError } from '@/lib/kernel/errors'
import type { ApprovalRule, ArgumentCondition } from '@/lib/protocol/approval'
import { conditionWords } from '@/lib/protocol/condition-words'
import type { KnownNames } from '@/lib/protocol/tool-access'
import { defaultsOf } from '@/lib/shape/field-codec'
import { readRule, readRules } from './reads'
import { requireKnownNames, withMissing } from './rule-names'

/** Parts of the toolset that the operations need. */
type Parts = {
  knownNames: (client: Tx) => Promise<KnownNames>
  /** Throws ValidationError for a condition that cannot be compared with. */
  requireComparable: (conditions: readonly ArgumentCondition[]) => void
  /** Returns whether a change lets calls of tools with power start; `values` null = the rule is deleted. */
  liftsPower: (
    client: Tx,
    before: ApprovalRule & { enabled: boolean },
    values: Readonly<Record<string, unknown>> | null,
  ) => Promise<boolean>
}

const summaries = {
  create: 'Adds a rule that says which calls are refused, need approval or are noted.',
  update:
    'Changes a rule from the next call on, or switches it; fields that are left out stay. Calls that wait go on waiting.',
  remove: 'Deletes a rule. Calls that wait because of it still do.',
  list: 'Lists the rules that say which calls are refused, need approval or are noted, switched-off ones, too.',
  read: 'Returns a rule by name or id.',
}

/**
 * Returns the operations on approval rules. Once one resolves, no call that a rule matches starts without what it asks for (SPEC
 * G-A, G-D, G-F); calls that wait go on waiting. What it names has to exist; of tools, groups and servers, `notYet` may say
 * that they do not yet.
 */
export function makeApprovalRuleVerbs({ knownNames, requireComparable, liftsPower }: Parts) {
  const find = async (client: Tx, where: { id: string } | { name: string }) => {
    const row = await readRule(client, where)
    const [rule = null] = withMissing(await knownNames(client), row ? [row] : [])
    return rule
  }
  return resourceVerbs(approvalRules, {
    summaries,
    changesPolicy: ['create', 'update', 'remove'],
    mayEndApproval: ['create', 'update', 'remove'],
    personsAct: async ({ values, before }, client) =>
      before && (await liftsPower(client, before, values)) ? 'approval' : null,
    // More rules than this would make every call slow.
    most: 500,
    rows: async (client) => withMissing(await knownNames(client), await readRules(client)),
    store: {
      count: (client) => client.approvalRule.count(),
      find,
      insert: (tx, data) => {
        const conditions = storedConditions(data.conditions, data.action === 'deny')
        return tx.approvalRule.create({ data: { ...data, conditions } })
      },
      write: (tx, id, { conditions, ...data }) =>
        tx.approvalRule.update({
          where: { id },
          data: { ...data, ...(conditions && { conditions: storedConditions(conditions, false) }) },
        }),
      remove: ({ tx }, { id }) => tx.approvalRule.delete({ where: { id } }),
    },
    check: async ({ tx }, values, before) => {
      if (!asksForSomething({ ...defaultsOf(approvalRules.fields), ...before, ...values })) {
        throw new ValidationError({ '': asksForNothing })
      }
      requireComparable(values.conditions ?? [])
      // Names that the rule has already may stay.
      if (!values.notYet) requireKnownNames(await knownNames(tx), values)
    },
    // A changed rule matches other calls.
    touched: (tx, ruleId) => tx.ruleCount.deleteMany({ where: { ruleId } }),
    listed: ({ configurationId, configuration, createdAt, missing, observed }) => ({
      configurationId,
      configurationName: configuration?.name ?? null,
      createdAt: createdAt.toISOString(),
      missing,
      observed,
    }),
    searched: (rule) => [
      rule.name,
      scopeWords(rule),
      actionWords(rule),
      ...rule.missing.map((what) => missingWords[what]),
      ...rule.conditions.map(conditionWords),
    ],
    orders: {
      'added-by': ({ createdByLabel }) => createdByLabel,
      changed: ({ updatedAt }) => updatedAt,
    },
  })
}
