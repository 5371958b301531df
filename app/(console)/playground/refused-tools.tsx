import Link from 'next/link'
import { groupBy } from '@/components/group-by'
import { Disclosure } from '@/components/trace/disclosure'
import { type GateSubject, gateWords } from '@/components/trace/gate-words'
import { VisibleText } from '@/components/trace/visible-text'
import type { Denial, Role } from '@/lib/protocol/tool'
import type { PickableTool } from './tool-selection'

type Refused = { name: string; verdict: Denial }

type Props = {
  tools: readonly Pick<PickableTool, 'name' | 'verdict'>[]
  isOpen: boolean
  role: Role
  about: Omit<GateSubject, 'toolName'>
}

/** Says in one line how many tools are not offered; opened, why, and where an admin can change it. Nothing when all are. */
export function RefusedTools({ tools, isOpen, role, about }: Props) {
  const refused = tools.flatMap(({ name, verdict }): Refused[] =>
    verdict.allowed ? [] : [{ name, verdict }],
  )
  if (refused.length === 0) return null
  const reasons = groupBy(refused, ({ verdict }) => verdict.reason)
  return (
    <Disclosure summary={`${refused.length} not offered`} isOpen={isOpen}>
      <ul aria-label="Tools that are not offered" className="flex flex-col gap-3">
        {[...reasons].map(([reason, [first, ...others]]) => (
          <li key={reason}>
            <p>
              <VisibleText text={reason} />{' '}
              {first && (
                <Way refused={first} alone={others.length === 0} role={role} about={about} />
              )}
            </p>
            <p className="font-mono text-mono text-muted [overflow-wrap:anywhere]">
              {[first, ...others].map((each) => each?.name).join(', ')}
            </p>
          </li>
        ))}
      </ul>
    </Disclosure>
  )
}

/** Leads to what an admin can change. `alone` = the reason is about one tool, so the link is, too. */
function Way({
  refused: { name, verdict },
  alone,
  role,
  about,
}: Pick<Props, 'role' | 'about'> & { refused: Refused; alone: boolean }) {
  const { gate, part } = verdict
  const { where } = gateWords(gate, { ...about, toolName: alone ? name : '', part })
  if (!where || role !== 'admin') return null
  const href = alone || !where.href.startsWith('/tools') ? where.href : '/tools'
  return (
    <Link href={href} className="text-link underline underline-offset-2">
      {gate === 'trust-zone' ? 'Raise the data class' : where.after}
    </Link>
  )
}
