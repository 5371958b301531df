import { useId, useState } from 'react'
import { SearchChoice } from '@/components/forms/choice'
import { Field } from '@/components/ui/field'
import { configurationShape } from '@/lib/domains/configurations/shape'
import { type AllowedNames, allowsTool, toolAccess } from '@/lib/protocol/tool-access'
import { countOf, formatCount } from '@/lib/words/format'
import { Choices } from './choices'
import { noTools, unknownTool, unknownToolGroup } from './configuration-words'

const { allowedToolGroups: groupsShape, allowedTools: toolsShape } = configurationShape

/** The tools of this installation, and their groups. */
export type ToolChoices = {
  toolGroups: readonly { name: string; tools: number }[]
  tools: readonly { name: string; group: string }[]
}

type Props = {
  choices: ToolChoices
  names: AllowedNames
  onChange: (names: AllowedNames) => void
  /** Why the single tools were refused. */
  error?: string | undefined
}

/** Shows the groups and single tools that a configuration allows where it does not allow every group, and how many that are. */
export function PickedTools({ choices, names, onChange, error }: Props) {
  const { allowedToolGroups, allowedTools } = names
  if (allowedToolGroups === null) return null
  const access = toolAccess(names)
  const allowed = choices.tools.filter((tool) => allowsTool(access, tool)).length
  return (
    <>
      <Choices
        label={groupsShape.label}
        options={groupOptions(choices.toolGroups, allowedToolGroups)}
        chosen={allowedToolGroups}
        onChange={(picked) => onChange({ ...names, allowedToolGroups: picked })}
      />
      <SingleTools
        tools={choices.tools}
        allowedToolGroups={allowedToolGroups}
        allowedTools={allowedTools}
        error={error}
        onChange={(picked) => onChange({ ...names, allowedTools: picked })}
      />
      <p role="status" className="numeric text-muted text-sm">
        {formatCount(allowed)} of {countOf(choices.tools.length, 'tool')} allowed
      </p>
      {allowedToolGroups.length === 0 && allowedTools.length === 0 && (
        <p className="text-sm text-warning">{noTools}</p>
      )}
    </>
  )
}

/** Returns all groups. One that has no tools any more stays visible, so that it can be removed. */
function groupOptions(groups: ToolChoices['toolGroups'], allowed: readonly string[]) {
  const known = groups.map(({ name, tools }) => ({ id: name, name, about: countOf(tools, 'tool') }))
  const gone = allowed.filter((name) => groups.every((group) => group.name !== name))
  return [
    ...known,
    ...gone.map((name) => ({ id: name, name, about: unknownToolGroup, isGone: true })),
  ]
}

type SingleProps = {
  tools: ToolChoices['tools']
  allowedToolGroups: readonly string[]
  allowedTools: readonly string[]
  onChange: (picked: string[]) => void
  error: string | undefined
}

/** Finds single tools by typing. Those that were picked stay listed, so that each can be picked again. */
function SingleTools({ tools, allowedToolGroups, allowedTools, onChange, error }: SingleProps) {
  const id = useId()
  const [seen, setSeen] = useState<readonly string[]>([])
  const listed = [...new Set([...seen, ...allowedTools])].sort()
  const pick = (picked: string[]) => {
    setSeen(listed)
    onChange(picked)
  }
  const aboutOf = (group: string) =>
    allowedToolGroups.includes(group) ? `${group}, allowed` : group
  const groupOf = new Map(tools.map(({ name, group }) => [name, group]))
  return (
    <>
      <Field id={id} label={toolsShape.label} error={error}>
        {(control) => (
          <SearchChoice
            {...control}
            className="sm:w-72"
            searchLabel="Search tools"
            placeholder="Add a tool"
            options={tools
              .filter(({ name }) => !allowedTools.includes(name))
              .map(({ name, group }) => ({
                value: name,
                label: name,
                hint: aboutOf(group),
                mono: true,
              }))}
            value=""
            onValueChange={(name) => pick([...allowedTools, name])}
          />
        )}
      </Field>
      {listed.length > 0 && (
        <Choices
          label={toolsShape.label}
          options={listed.map((name) => {
            const group = groupOf.get(name)
            return {
              id: name,
              name,
              about: group === undefined ? unknownTool : aboutOf(group),
              isGone: group === undefined,
            }
          })}
          chosen={allowedTools}
          onChange={pick}
        />
      )}
    </>
  )
}
