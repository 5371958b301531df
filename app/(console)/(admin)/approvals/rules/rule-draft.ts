import type { ApprovalRuleInput, ApprovalRuleListing } from '@/lib/domains/approvals/schemas'
import type { ArgumentCondition } from '@/lib/protocol/approval'
import { operatorWords } from './rule-words'

/** A condition in the form. `key` identifies its row while others are added and removed. */
export type DraftCondition = ArgumentCondition & { key: number }

/** A rule as the form holds it. */
export type RuleDraft = {
  name: string
  enabled: boolean
  toolName: string | null
  toolGroup: string | null
  configurationId: string | null
  conditions: DraftCondition[]
  /** Tool and group are typed: they do not exist yet. */
  notYet: boolean
}

export const emptyDraft: RuleDraft = {
  name: '',
  enabled: true,
  toolName: null,
  toolGroup: null,
  configurationId: null,
  conditions: [],
  notYet: false,
}

export function draftOf(rule: ApprovalRuleListing): RuleDraft {
  const { name, enabled, toolName, toolGroup, configurationId } = rule
  const conditions = rule.conditions.map((condition, key) => ({ ...condition, key }))
  return { name, enabled, toolName, toolGroup, configurationId, conditions, notYet: false }
}

export function toRuleInput({ conditions, ...facts }: RuleDraft): ApprovalRuleInput {
  return {
    ...facts,
    toolName: facts.toolName?.trim() || null,
    toolGroup: facts.toolGroup?.trim() || null,
    conditions: conditions.map(({ path, operator, value }) => ({
      path,
      operator,
      value: operatorWords[operator].value ? value : '',
    })),
  }
}

export function withNewCondition(draft: RuleDraft): Pick<RuleDraft, 'conditions'> {
  const key = 1 + Math.max(-1, ...draft.conditions.map((condition) => condition.key))
  const fresh: DraftCondition = { key, path: '$.', operator: 'equals', value: '' }
  return { conditions: [...draft.conditions, fresh] }
}

/** Returns the field at which an error of the server is shown, wherever the rule stood in the request; "" = none. */
export function ruleFieldOf(path: string): string {
  return path.replace(/^rule\.?/, '')
}
