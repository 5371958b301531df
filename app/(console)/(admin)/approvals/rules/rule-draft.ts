import { approvalRules, type Rule, type TriedRule } from '@/lib/domains/approvals/shape'
import { type ArgumentCondition, asksPeople } from '@/lib/protocol/approval'
import { canBeLoose, operatorWords } from '@/lib/protocol/condition-words'
import { pick } from '@/lib/protocol/parameters/parameters'
import { defaultsOf, type ValuesOf } from '@/lib/shape/field-codec'

/** A condition in the form. `key` identifies its row while others are added and removed. */
export type DraftCondition = ArgumentCondition & { key: number }

/** A rule as the form holds it. With `notYet`, tool, group and server are typed. */
export type RuleDraft = Omit<ValuesOf<typeof approvalRules.fields>, 'conditions'> & {
  conditions: DraftCondition[]
}

export const emptyDraft: RuleDraft = {
  name: '',
  ...defaultsOf(approvalRules.fields),
  conditions: [],
}

export function draftOf(rule: Rule): RuleDraft {
  const facts = pick(rule, [
    'name',
    'action',
    'fourEyes',
    'toolName',
    'toolGroup',
    'serverName',
    'configurationId',
    'enabled',
  ])
  const runs = {
    userId: rule.person?.id ?? null,
    groupId: rule.personGroup?.id ?? null,
    apiKeyId: rule.apiKey?.id ?? null,
  }
  const conditions = rule.conditions.map((condition, key) => ({
    ...condition,
    key,
    loose: condition.loose === true,
  }))
  return { ...emptyDraft, ...facts, ...runs, conditions }
}

export function toRuleInput({ conditions, ...facts }: RuleDraft): TriedRule {
  return {
    ...facts,
    fourEyes: facts.fourEyes && asksPeople(facts.action),
    toolName: facts.toolName?.trim() || null,
    toolGroup: facts.toolGroup?.trim() || null,
    serverName: facts.serverName?.trim() || null,
    conditions: conditions.map(({ path, operator, value, loose }) => ({
      path,
      operator,
      value: operatorWords[operator].value ? value : '',
      ...(canBeLoose(operator) && { loose: loose === true }),
    })),
  }
}

export function withNewCondition(draft: RuleDraft): Pick<RuleDraft, 'conditions'> {
  const key = 1 + Math.max(-1, ...draft.conditions.map((condition) => condition.key))
  const fresh: DraftCondition = { key, path: '$.', operator: 'equals', value: '', loose: true }
  return { conditions: [...draft.conditions, fresh] }
}

/** Returns the field at which an error of the server is shown, wherever the rule stood in the request; "" = none. */
export function ruleFieldOf(path: string): string {
  return path.replace(/^rule\.?/, '')
}
