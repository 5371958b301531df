'use client'
import Link from 'next/link'
import { useState } from 'react'
import { addressOf } from '@/components/forms/address-of'
import { groupBy } from '@/components/group-by'
import { Disclosure } from '@/components/trace/disclosure'
import type { GateSubject } from '@/components/trace/gate-words'
import { ErrorNotice } from '@/components/ui/error-notice'
import { SearchInput } from '@/components/ui/search-input'
import type { Role } from '@/lib/protocol/tool'
import { formatTokens } from '@/lib/words/format'
import { RefusedTools } from './refused-tools'
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
  problem: string | null
  picked: Picked
  role: Role
  about: Omit<GateSubject, 'toolName'>
  onPick: (picked: string[]) => void
}

/** Picks the tools that the model is offered in this run; folded, it says how many. It narrows what the gates allow and never extends it. */
export function ToolPicker({ tools, pending, problem, picked, role, about, onPick }: Props) {
  const [search, setSearch] = useState('')
  const shown = searchTools(tools, search)
  const allowed = shown.filter(({ verdict }) => verdict.allowed)
  const size = selectionSize(tools, picked)
  return (
    <section aria-label="Tools" aria-busy={pending} className="flex flex-col gap-1">
      <h2 className="font-medium text-base">Tools</h2>
      {problem && <ErrorNotice title="Tools could not be read">{problem}</ErrorNotice>}
      <Disclosure
        summary={
          <span role="status" className="numeric">
            {sizeWords(size)}
          </span>
        }
        isOpen={size.allowed === 0}
      >
        <div className="flex flex-col gap-2">
          {role === 'admin' && <ExplainLink about={about} />}
          <SearchInput label="Search tools" value={search} onChange={setSearch} />
          {shown.length === 0 && <p className="text-muted text-sm">No matches</p>}
          {[...groupBy(allowed, (tool) => tool.group)].map(([group, members]) => (
            <ToolGroup
              key={group}
              group={group}
              tools={members}
              picked={picked}
              onToggle={(names, on) => onPick(withPicked(tools, picked, names, on))}
            />
          ))}
          <RefusedTools
            tools={shown}
            isOpen={size.allowed === 0 || search !== ''}
            role={role}
            about={about}
          />
        </div>
      </Disclosure>
    </section>
  )
}

function sizeWords({ picked, allowed, tokens }: SelectionSize): string {
  if (allowed === 0) return 'No tools allowed'
  const size = picked === 0 ? '' : ` · ≈ ${formatTokens(tokens)} a request`
  return `${picked} of ${allowed} tools on${size}`
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
      Explain
    </Link>
  )
}
