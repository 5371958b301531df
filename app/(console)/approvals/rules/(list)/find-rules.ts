import type { ApprovalRuleListing } from '@/lib/approvals/schemas'
import { conditionWords, scopeWords } from '../rule-words'

/** Every word of the search must be found in what the list shows of a rule. */
export function findRules(
  rules: readonly ApprovalRuleListing[],
  search: string,
  state: 'on' | 'off' | undefined,
): ApprovalRuleListing[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return rules.filter((rule) => {
    if (state !== undefined && rule.enabled !== (state === 'on')) return false
    const shown = [rule.name, scopeWords(rule), ...rule.conditions.map(conditionWords)]
    const text = shown.join(' ').toLowerCase()
    return words.every((word) => text.includes(word))
  })
}
