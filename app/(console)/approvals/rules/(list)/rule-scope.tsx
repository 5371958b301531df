import { VisibleText } from '@/components/trace/visible-text'
import type { ApprovalRuleListing } from '@/lib/approvals/schemas'
import { conditionWords, scopeWords } from '../rule-words'

/** Which calls a rule stops, in words; its conditions all have to hold. */
export function RuleScope({ rule }: { rule: ApprovalRuleListing }) {
  return (
    <div className="flex flex-col gap-0.5 [overflow-wrap:anywhere]">
      <span>
        <VisibleText text={scopeWords(rule)} />
      </span>
      {rule.conditions.map((condition, index) => {
        const words = conditionWords(condition)
        return (
          <span key={words} className="text-muted">
            {index === 0 ? 'when ' : 'and '}
            <span className="font-mono text-mono">
              <VisibleText text={words} />
            </span>
          </span>
        )
      })}
    </div>
  )
}
