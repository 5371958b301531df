import Link from 'next/link'
import { useId } from 'react'
import { type GateSubject, gateWords } from '@/components/trace/gate-words'
import { VisibleText } from '@/components/trace/visible-text'
import { Checkbox, triState } from '@/components/ui/checkbox'
import { cn } from '@/components/ui/cn'
import { formatCount } from '@/lib/protocol/format'
import type { Role } from '@/lib/protocol/tool'
import { isPicked, type PickableTool, type Picked } from './tool-selection'

type About = Omit<GateSubject, 'toolName'>
type Toggle = (names: string[], on: boolean) => void

export function ToolGroup({
  group,
  tools,
  picked,
  role,
  about,
  onToggle,
}: {
  group: string
  tools: PickableTool[]
  picked: Picked
  role: Role
  about: About
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
              about={about}
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
  about,
  onToggle,
}: {
  tool: PickableTool
  on: boolean
  role: Role
  about: About
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
          <span
            className="numeric text-muted text-xs"
            title="Tokens its schema adds to each request"
          >
            ≈ {formatCount(tool.schemaTokens)}
          </span>
        </div>
        <p id={`${id}-about`} className={verdict.allowed ? 'sr-only' : 'text-muted text-sm'}>
          {verdict.allowed ? tool.description : <Refusal tool={tool} role={role} about={about} />}
        </p>
      </div>
    </div>
  )
}

/** Says why a tool may not run, with a link to the switch for those who may use it. */
function Refusal({ tool, role, about }: { tool: PickableTool; role: Role; about: About }) {
  if (tool.verdict.allowed) return null
  const { gate, reason, part } = tool.verdict
  const { where } = gateWords(gate, { ...about, toolName: tool.name, part })
  return (
    <>
      <VisibleText text={reason} />{' '}
      {where && role === 'admin' && (
        <Link href={where.href} className="text-link underline underline-offset-2">
          {where.after}
        </Link>
      )}
    </>
  )
}
