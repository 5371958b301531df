import Link from 'next/link'
import { VisibleText } from '@/components/trace/visible-text'
import type { ApprovalRuleListing } from '@/lib/approvals/schemas'
import { DeleteRule } from './delete-rule'
import { RuleScope } from './rule-scope'
import { RuleSwitch } from './rule-switch'

/** The table of narrow screens: which calls a rule stops, and its switch. */
export function RuleCards({ rules }: { rules: ApprovalRuleListing[] }) {
  return (
    <ul className="flex flex-col gap-2 md:hidden">
      {rules.map((rule) => (
        <li key={rule.id}>
          <article className="flex flex-col gap-2 rounded-md border bg-surface-1 p-3">
            <div className="flex items-start justify-between gap-3">
              <Link
                href={`/approvals/rules/${rule.id}`}
                className="min-w-0 py-1 font-medium text-link [overflow-wrap:anywhere]"
              >
                <VisibleText text={rule.name} />
              </Link>
              <RuleSwitch rule={rule} />
            </div>
            <div className="flex items-end justify-between gap-3 text-sm">
              <RuleScope rule={rule} />
              <DeleteRule rule={rule} />
            </div>
          </article>
        </li>
      ))}
    </ul>
  )
}
