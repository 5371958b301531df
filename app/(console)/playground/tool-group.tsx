import Link from 'next/link'
import { useId } from 'react'
import { gateWords } from '@/components/trace/gate-words'
import { Checkbox } from '@/components/ui/checkbox'
import { cn } from '@/components/ui/cn'
import { triState } from '@/components/ui/tri-state'
import { formatCount } from '@/lib/protocol/format'
import type { Role } from '@/lib/protocol/tool'
import { isPicked, type PickableTool, type Picked } from './tool-selection'

type Toggle = (names: string[], on: boolean) => void

export function ToolGroup({
  group,
  tools,
  picked,
  role,
  onToggle,
}: {
  group: string
  tools: PickableTool[]
  picked: Picked
  role: Role
  onToggle: Toggle
}) {
  const allowed = tools.filter((tool) => tool.verdict.allowed)
  const chosen = allowed.filter((tool) => isPicked(tool, picked))
  const state = triState(chosen.length, allowed.length)
  const id = useId()
  return (
    <fieldset className="flex flex-col">
      <legend className="sr-only">{group}</legend>
      <div className="flex min-h-7 items-center gap-2 pointer-coarse:min-h-10">
        <Checkbox
          id={id}
          checked={state}
          disabled={allowed.length === 0}
          onCheckedChange={() =>
            onToggle(
              allowed.map((tool) => tool.name),
              state !== true,
            )
          }
        />
        <label htmlFor={id} className="flex-1 font-medium text-sm text-strong">
          {group}
        </label>
        <span className="numeric text-muted text-sm">
          {chosen.length} of {tools.length}
        </span>
      </div>
      <ul className="flex flex-col border-l pl-3">
        {tools.map((tool) => (
          <li key={tool.name}>
            <ToolRow
              tool={tool}
              on={isPicked(tool, picked)}
              role={role}
              onToggle={(on) => onToggle([tool.name], on)}
            />
          </li>
        ))}
      </ul>
    </fieldset>
  )
}

function ToolRow({
  tool,
  on,
  role,
  onToggle,
}: {
  tool: PickableTool
  on: boolean
  role: Role
  onToggle: (on: boolean) => void
}) {
  const id = useId()
  const { verdict } = tool
  return (
    <div className="flex items-start gap-2 py-1 pointer-coarse:py-2">
      <Checkbox
        id={id}
        checked={on}
        disabled={!verdict.allowed}
        aria-describedby={`${id}-about`}
        className="mt-px"
        onCheckedChange={(value) => onToggle(value === true)}
      />
      <div className="min-w-0 flex-1">
        <div className="flex items-baseline gap-2">
          <label
            htmlFor={id}
            title={tool.description}
            className={cn(
              'flex-1 font-mono text-mono [overflow-wrap:anywhere]',
              verdict.allowed ? 'text-strong' : 'text-muted',
            )}
          >
            {tool.name}
          </label>
          <span className="numeric text-muted text-xs" title="Tokens its schema costs a request">
            ≈ {formatCount(tool.schemaTokens)}
          </span>
        </div>
        <p id={`${id}-about`} className={verdict.allowed ? 'sr-only' : 'text-muted text-sm'}>
          {verdict.allowed ? tool.description : <Refusal tool={tool} role={role} />}
        </p>
      </div>
    </div>
  )
}

/** Why a tool may not run, with the way to the switch for those who may use it. */
function Refusal({ tool, role }: { tool: PickableTool; role: Role }) {
  if (tool.verdict.allowed) return null
  const { short, where } = gateWords(tool.verdict.gate, null)
  return (
    <>
      Off: {short}
      {where && role === 'admin' && (
        <>
          {' '}
          (
          <Link href={where.href} className="text-link underline underline-offset-2">
            {where.label}
          </Link>
          )
        </>
      )}
      .
    </>
  )
}
