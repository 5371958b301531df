import { type PillState, StatePill } from '@/components/ui/state-pill'
import { type CaseVerdict, verdictWords } from '@/lib/domains/policy-cases/shape'

const looks: Record<CaseVerdict, PillState> = { passed: 'ok', failed: 'error', gone: 'warning' }

/** Shows whether a policy case passes now. */
export function Verdict({ verdict }: { verdict: CaseVerdict }) {
  return (
    <StatePill state={looks[verdict]} className="w-fit">
      {verdictWords[verdict]}
    </StatePill>
  )
}
