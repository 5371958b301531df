import { Choice } from '@/components/forms/choice'
import {
  isFiltered,
  type ToolFilter,
  toolEffects,
  toolStates,
} from '@/components/nouns/tool-filter'
import { Button } from '@/components/ui/button'
import { SearchInput } from '@/components/ui/search-input'
import { Select, type SelectOption } from '@/components/ui/select'
import { effectWords } from '@/lib/protocol/trust-words'
import { formatCount } from '@/lib/words/format'
import { stateWords } from './tool-words'

const stateOptions: SelectOption[] = toolStates.map((value) => ({
  value,
  label: stateWords[value],
}))
const effectOptions: SelectOption[] = toolEffects.map((value) => ({
  value,
  label: value === 'all' ? 'Any effect' : effectWords[value],
}))

export function FilterBar({
  filter,
  onChange,
  groups,
  shown,
  all,
}: {
  filter: ToolFilter
  /** Null = no filter. */
  onChange: (filter: Partial<ToolFilter> | null) => void
  groups: string[]
  shown: number
  all: number
}) {
  const groupOptions = ['all', ...groups].map((value) => ({
    value,
    label: value === 'all' ? 'All groups' : value,
  }))
  const pick =
    <K extends keyof ToolFilter>(key: K, values: readonly ToolFilter[K][]) =>
    (value: string) => {
      const found = values.find((each) => each === value)
      if (found !== undefined) onChange({ [key]: found })
    }
  return (
    <search className="grid grid-cols-2 items-center gap-2 sm:flex sm:flex-wrap">
      <SearchInput
        label="Search tools"
        className="col-span-2 sm:w-64"
        value={filter.search}
        onChange={(search) => onChange({ search })}
      />
      <Choice
        aria-label="Group"
        className="sm:w-36"
        options={groupOptions}
        value={filter.group}
        onValueChange={pick('group', ['all', ...groups])}
      />
      <Select
        aria-label="State"
        className="sm:w-48"
        options={stateOptions}
        value={filter.state}
        onValueChange={pick('state', toolStates)}
      />
      <Select
        aria-label="Effect"
        className="sm:w-44"
        options={effectOptions}
        value={filter.effect}
        onValueChange={pick('effect', toolEffects)}
      />
      {isFiltered(filter) && (
        <Button variant="ghost" onClick={() => onChange(null)}>
          Clear filter
        </Button>
      )}
      <p role="status" className="numeric col-start-2 ml-auto text-muted text-sm">
        {shown === all
          ? `${formatCount(all)} tools`
          : `${formatCount(shown)} of ${formatCount(all)} tools`}
      </p>
    </search>
  )
}
