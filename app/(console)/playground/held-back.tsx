import { TriangleAlert } from 'lucide-react'
import Link from 'next/link'
import { groupBy } from '@/components/group-by'
import { type GateSubject, gateWords } from '@/components/trace/gate-words'
import type { Denial, GateName, Role } from '@/lib/protocol/tool'
import type { PickableTool } from './tool-selection'

/** The gates that can refuse many tools at once, with one sentence about each. */
const words: Partial<Record<GateName, string>> = {
  frozen: 'this site is frozen',
  group: 'their tool group is switched off',
  configuration: 'this configuration does not allow their group',
  'trust-zone': 'their data class is too high for the providers of this configuration',
  skills: 'the skills of this run do not list them',
}

type Props = {
  tools: PickableTool[]
  role: Role
  /** The provider of the configuration that is trusted least, by name. */
  leastTrusted: string | null
  about: Omit<GateSubject, 'toolName'>
}

/**
 * Says that "6 of 8 tools are not offered", by which gates, and where an admin can change that. Nothing when no gate
 * refuses many tools at once: tools that are off one by one say so in their rows.
 */
export function HeldBack({ tools, role, leastTrusted, about }: Props) {
  const refused = tools.flatMap(({ verdict }) => (verdict.allowed ? [] : [verdict]))
  const held = refused.filter(({ gate }) => words[gate])
  if (held.length === 0) return null
  const single = refused.length - held.length
  const kinds = groupBy(held, ({ gate, part = '' }) => `${gate} ${part}`)
  return (
    <div className="flex gap-2 rounded-md border border-warning/40 bg-warning-soft p-2 text-sm">
      <TriangleAlert className="mt-px size-4 shrink-0 text-warning" aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="font-medium text-warning">
          {refused.length} of {tools.length} tools are not offered
        </p>
        <ul>
          {[...kinds].map(([kind, [first, ...others]]) => (
            <li key={kind}>
              {others.length + 1}: {first && wordsOf(first, leastTrusted)}.{' '}
              {role === 'admin' && first ? (
                <Way denial={first} about={about} />
              ) : (
                <span className="text-muted">Ask an admin.</span>
              )}
            </li>
          ))}
          {single > 0 && (
            <li>
              {single}: the reason is shown next to {single === 1 ? 'the tool' : 'each tool'}.
            </li>
          )}
        </ul>
      </div>
    </div>
  )
}

function wordsOf({ gate, part }: Denial, leastTrusted: string | null): string | undefined {
  if (part !== undefined) return 'this configuration cannot be used now'
  if (gate === 'trust-zone' && leastTrusted !== null) {
    return `what they return may not go to ${leastTrusted}`
  }
  return words[gate]
}

function Way({ denial, about }: { denial: Denial; about: Omit<GateSubject, 'toolName'> }) {
  const { gate, part } = denial
  const { where } = gateWords(gate, { ...about, toolName: '', part })
  if (!where) return null
  const href = gate === 'group' ? '/tools' : where.href
  return (
    <Link href={href} className="text-link underline underline-offset-2">
      {gate === 'trust-zone' ? 'See and raise the data class' : where.see}
    </Link>
  )
}
