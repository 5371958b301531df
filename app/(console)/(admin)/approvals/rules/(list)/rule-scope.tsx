import { TriangleAlert } from 'lucide-react'
import { VisibleText } from '@/components/trace/visible-text'
import { Badge } from '@/components/ui/badge'
import { RelativeTime } from '@/components/ui/relative-time'
import { actionWords, missingWords, type Rule, scopeWords } from '@/lib/domains/approvals/shape'
import { conditionWords } from '@/lib/protocol/condition-words'
import { countOf } from '@/lib/words/format'

/** Shows how many calls a rule that only observes matched since it was made or changed. */
export function Observed({
  observed: { calls, lastAt },
}: {
  observed: NonNullable<Rule['observed']>
}) {
  if (lastAt === null) return <span className="text-muted">Matched no call yet</span>
  return (
    <span className="numeric text-muted">
      Matched {countOf(calls, 'call')}, the last one <RelativeTime at={lastAt} />
    </span>
  )
}

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
        {actionWords(rule)}
      </span>
      {rule.observed && <Observed observed={rule.observed} />}
    </div>
  )
}
