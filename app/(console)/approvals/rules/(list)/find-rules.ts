import type { MarkedRule } from '@/lib/toolset/known-names'
import { conditionWords, missingWords, scopeWords } from '../rule-words'

/** Every word of the search must be found in what the list shows of a rule. */
export function findRules(
  rules: readonly MarkedRule[],
  search: string,
  state: 'on' | 'off' | undefined,
): MarkedRule[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return rules.filter((rule) => {
    if (state !== undefined && rule.enabled !== (state === 'on')) return false
    const shown = [
      rule.name,
      scopeWords(rule),
      ...rule.missing.map((what) => missingWords[what]),
      ...rule.conditions.map(conditionWords),
    ]
    const text = shown.join(' ').toLowerCase()
    return words.every((word) => text.includes(word))
  })
}
