import { useId } from 'react'
import { Checkbox, triState } from '@/components/ui/checkbox'
import { ToolName } from '@/components/ui/tool-name'
import { formatCount } from '@/lib/words/format'
import { isPicked, type PickableTool, type Picked } from './tool-selection'

type Toggle = (names: string[], on: boolean) => void

/** Shows the tools of a group that may run, each with its box, and one for all. */
export function ToolGroup({
  group,
  tools,
  picked,
  onToggle,
}: {
  group: string
  tools: PickableTool[]
  picked: Picked
  onToggle: Toggle
}) {
  const chosen = tools.filter((tool) => isPicked(tool, picked))
  const state = triState(chosen.length, tools.length)
  const id = useId()
  return (
    <fieldset className="flex flex-col">
      <legend className="sr-only">{group}</legend>
      <div className="flex min-h-7 items-center gap-2 pointer-coarse:min-h-10">
        <Checkbox
          id={id}
          checked={state}
          onCheckedChange={() =>
            onToggle(
              tools.map((tool) => tool.name),
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
  onToggle,
}: {
  tool: PickableTool
  on: boolean
  onToggle: (on: boolean) => void
}) {
  const id = useId()
  return (
    <div className="flex items-start gap-2 py-1 pointer-coarse:py-2">
      <Checkbox
        id={id}
        checked={on}
        aria-describedby={`${id}-about`}
        className="mt-px"
        onCheckedChange={(value) => onToggle(value === true)}
      />
      <div className="min-w-0 flex-1">
        <div className="flex items-baseline gap-2">
          <label
            htmlFor={id}
            title={tool.description}
            className="flex-1 font-mono text-mono text-strong [overflow-wrap:anywhere]"
          >
            <ToolName name={tool.name} />
          </label>
          <span className="numeric text-muted text-xs" title="Tokens a request">
            ≈ {formatCount(tool.schemaTokens)}
          </span>
        </div>
        <p id={`${id}-about`} className="sr-only">
          {tool.description}
        </p>
      </div>
    </div>
  )
}
