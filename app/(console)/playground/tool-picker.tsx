'use client'
import { TriangleAlert } from 'lucide-react'
import Link from 'next/link'
import { useState } from 'react'
import { addressOf } from '@/components/forms/address-of'
import { groupBy } from '@/components/group-by'
import { type GateSubject, gateWords } from '@/components/trace/gate-words'
import { ErrorNotice } from '@/components/ui/error-notice'
import { SearchInput } from '@/components/ui/search-input'
import { formatTokens } from '@/lib/protocol/format'
import type { Denial, GateName, Role } from '@/lib/protocol/tool'
import { ToolGroup } from './tool-group'
import {
  type PickableTool,
  type Picked,
  type SelectionSize,
  searchTools,
  selectionSize,
  withPicked,
} from './tool-selection'

type Props = {
  tools: PickableTool[]
  /** The tools still have the verdicts of another configuration; the right ones are being loaded. */
  pending: boolean
  /** Why the verdicts could not be loaded. */
  trouble: string | null
  picked: Picked
  role: Role
  /** The provider of the configuration that is trusted least, by name. */
  leastTrusted: string | null
  about: Omit<GateSubject, 'toolName'>
  onPick: (picked: string[]) => void
}

/** Picks the tools that the model is offered in this run. It narrows what the gates allow and never extends it. */
export function ToolPicker({
  tools,
  pending,
  trouble,
  picked,
  role,
  leastTrusted,
  about,
  onPick,
}: Props) {
  const [search, setSearch] = useState('')
  const shown = searchTools(tools, search)
  const size = selectionSize(tools, picked)
  return (
    <section
      aria-label="Tools available to this run"
      aria-busy={pending}
      className="flex flex-col gap-2"
    >
      <h2 className="font-medium text-base">Tools available to this run</h2>
      <p role="status" className="numeric text-muted text-sm">
        {sizeWords(size)}
      </p>
      {trouble && (
        <ErrorNotice title="The allowed tools could not be read">
          {trouble} The run checks again before each call.
        </ErrorNotice>
      )}
      <HeldBack tools={tools} role={role} about={about} leastTrusted={leastTrusted} />
      {role === 'admin' && <ExplainLink about={about} />}
      <SearchInput label="Search tools" value={search} onChange={setSearch} />
      {shown.length === 0 && <p className="text-muted text-sm">No matches</p>}
      {[...groupBy(shown, (tool) => tool.group)].map(([group, members]) => (
        <ToolGroup
          key={group}
          group={group}
          tools={members}
          picked={picked}
          role={role}
          about={about}
          onToggle={(names, on) => onPick(withPicked(tools, picked, names, on))}
        />
      ))}
    </section>
  )
}

function sizeWords({ picked, allowed, tokens }: SelectionSize): string {
  if (allowed === 0) return 'No tools are allowed. The model gets none.'
  if (picked === 0) return 'No tools are picked. The model gets none.'
  return `${picked} of ${allowed} · ≈ ${formatTokens(tokens)} a request`
}

/** Shows a link to the Explain page with this configuration and task. There, the person can be changed. */
function ExplainLink({ about: { configurationId, userId, taskId } }: Pick<Props, 'about'>) {
  const question = {
    user: userId ?? undefined,
    configuration: configurationId ?? 'none',
    task: taskId ?? undefined,
  }
  return (
    <Link
      href={addressOf('/tools/explain', question)}
      className="self-start text-link text-sm underline-offset-2 hover:underline"
    >
      Explain for someone else
    </Link>
  )
}

/** One sentence about each gate that can refuse many tools at once. */
const words: Partial<Record<GateName, string>> = {
  frozen: 'this site is frozen',
  group: 'their tool group is switched off',
  configuration: 'this configuration does not allow them',
  'trust-zone': 'their data class is too high for the providers of this configuration',
  skills: 'the skills of this run do not list them',
  rule: 'a rule refuses all their calls',
}

type HeldBackProps = {
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
export function HeldBack({ tools, role, leastTrusted, about }: HeldBackProps) {
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
