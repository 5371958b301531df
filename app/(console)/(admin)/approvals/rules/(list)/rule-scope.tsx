import { TriangleAlert } from 'lucide-react'
import { VisibleText } from '@/components/trace/visible-text'
import { Badge } from '@/components/ui/badge'
import { missingWords, type Rule, ruleActionWords, scopeWords } from '@/lib/domains/approvals/shape'
import { conditionWords } from '@/lib/protocol/condition-words'

/** Shows in words which calls a rule matches, and what happens to them. All of its conditions must match. */
export function RuleScope({ rule }: { rule: Rule }) {
  return (
    <div className="flex flex-col gap-0.5 [overflow-wrap:anywhere]">
      <span>
        <VisibleText text={scopeWords(rule)} />
      </span>
      {rule.missing.map((what) => (
        <span key={what}>
          <Badge tone="warning">
            <TriangleAlert aria-hidden />
            {missingWords[what]}
          </Badge>
        </span>
      ))}
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
      <span className={rule.action === 'deny' ? 'text-danger' : 'text-muted'}>
        {ruleActionWords[rule.action]}
      </span>
    </div>
  )
}
