import { SearchChoice } from '@/components/forms/choice'
import type { FieldControl } from '@/components/ui/field'
import type { ToolChoiceOption } from './read-choices'

type Props = FieldControl & {
  tools: ToolChoiceOption[]
  /** Null = any tool; a name that no tool has stays. */
  chosen: string | null
  onChoose: (name: string | null) => void
}

// No tool can have this name.
const anyTool = 'any tool'

/** Shows a choice of one tool, found by typing, or of any tool. */
export function ToolChoice({ tools, chosen, onChoose, ...control }: Props) {
  const gone = chosen !== null && tools.every(({ name }) => name !== chosen)
  const named = gone ? [...tools, { name: chosen, group: 'does not exist' }] : tools
  return (
    <SearchChoice
      {...control}
      searchLabel="Search tools"
      options={[
        { value: anyTool, label: 'Any tool' },
        ...named.map(({ name, group }) => ({ value: name, label: name, hint: group, mono: true })),
      ]}
      value={chosen ?? anyTool}
      onValueChange={(name) => onChoose(name === anyTool ? null : name)}
    />
  )
}
