'use client'
import { Command } from 'cmdk'
import { Check } from 'lucide-react'
import { useState } from 'react'
import { VisibleText } from '@/components/trace/visible-text'
import { cn } from '@/components/ui/cn'
import { Select, type SelectOption, type SelectProps } from '@/components/ui/select'
import { matchesSearch } from '@/lib/words/matches-search'
import { SearchPopover } from './search-popover'

const mostAtAGlance = 12

/** Picks one of several: a plain list when there are few options, a search when there are many. */
export function Choice({ searchLabel, ...props }: SearchChoiceProps) {
  // Decided once, because a change of the control would lose the focus.
  const [many] = useState(props.options.length > mostAtAGlance)
  return many ? <SearchChoice searchLabel={searchLabel} {...props} /> : <Select {...props} />
}

type SearchOption = SelectOption & {
  /** True = an identifier, shown in the mono font. */
  mono?: boolean
}

export type SearchChoiceProps = Omit<SelectProps, 'name' | 'options'> & {
  options: readonly SearchOption[]
  /** The placeholder of the search field: "Search tools". */
  searchLabel?: string
}

/** Shows a choice of one option that is found by typing. Has the props and the roles of `Select`. */
export function SearchChoice({
  options,
  value,
  onValueChange,
  placeholder,
  disabled,
  className,
  searchLabel = 'Search',
  ...trigger
}: SearchChoiceProps) {
  const [open, setOpen] = useState(false)
  const chosen = options.find((option) => option.value === value)
  return (
    <SearchPopover
      open={open}
      onOpenChange={setOpen}
      label={trigger['aria-label'] ?? searchLabel}
      searchLabel={searchLabel}
      nothing="No matches"
      start={value}
      filter={fits}
      shown={
        <span className={cn(chosen?.mono && 'font-mono text-mono')}>
          <VisibleText text={chosen?.label ?? placeholder ?? ''} />
        </span>
      }
      isMuted={!chosen}
      button={{ role: 'combobox', 'aria-expanded': open, disabled, className, ...trigger }}
    >
      {options.map((option) => (
        <Option
          key={option.value}
          option={option}
          chosen={option.value === value}
          onSelect={() => {
            setOpen(false)
            onValueChange(option.value)
          }}
        />
      ))}
    </SearchPopover>
  )
}

function Option({
  option: { value, label, hint, mono, disabled },
  chosen,
  onSelect,
}: {
  option: SearchOption
  chosen: boolean
  onSelect: () => void
}) {
  return (
    <Command.Item
      value={value}
      aria-label={label}
      keywords={typeof hint === 'string' ? [label, hint] : [label]}
      disabled={disabled}
      onSelect={onSelect}
      className="flex min-h-8 cursor-pointer items-center gap-2 rounded-sm px-2 py-1 text-strong data-[disabled=true]:text-muted data-[selected=true]:bg-surface-2 pointer-coarse:min-h-11"
    >
      <span className={cn('min-w-0 flex-1 truncate', mono && 'font-mono text-mono')}>
        <VisibleText text={label} />
      </span>
      {hint && <span className="max-w-1/2 truncate text-muted text-sm">{hint}</span>}
      {chosen && <Check className="size-4 shrink-0 text-link" aria-hidden />}
    </Command.Item>
  )
}

/** Returns whether the shown text has every word of the search. The value itself, mostly an id, is not searched. */
function fits(_value: string, search: string, keywords: string[] = []): number {
  return matchesSearch(search, keywords) ? 1 : 0
}
