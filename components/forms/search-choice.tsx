'use client'
import { Command } from 'cmdk'
import { Check, ChevronsUpDown } from 'lucide-react'
import { useState } from 'react'
import { VisibleText } from '@/components/trace/visible-text'
import { cn } from '@/components/ui/cn'
import { controlStyles } from '@/components/ui/control-styles'
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover'
import type { SelectOption, SelectProps } from '@/components/ui/select'

export type SearchOption = SelectOption & {
  /** A name of the machine, in its type. */
  mono?: boolean
}

export type SearchChoiceProps = Omit<SelectProps, 'name' | 'options'> & {
  options: readonly SearchOption[]
  /** What the field inside says: "Search tools". */
  searchLabel?: string
}

/** One of many, found by typing: to be used like `Select`, and found in a page by the same roles. */
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
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <button
          type="button"
          role="combobox"
          aria-expanded={open}
          disabled={disabled}
          className={cn(
            controlStyles,
            'flex h-8 items-center justify-between gap-2 px-2.5 text-left pointer-coarse:h-10',
            !chosen && 'text-muted',
            className,
          )}
          {...trigger}
        >
          <span className={cn('truncate', chosen?.mono && 'font-mono text-mono')}>
            <VisibleText text={chosen?.label ?? placeholder ?? ''} />
          </span>
          <ChevronsUpDown className="size-4 shrink-0 text-muted" aria-hidden />
        </button>
      </PopoverTrigger>
      <PopoverContent
        align="start"
        aria-label={trigger['aria-label'] ?? searchLabel}
        className="p-0"
      >
        <Command label={searchLabel} loop defaultValue={value} filter={fits}>
          <Command.Input
            placeholder={searchLabel}
            className="h-9 w-full border-b bg-transparent px-3 text-base text-strong outline-none pointer-coarse:text-lg"
          />
          <Command.List className="max-h-80 overflow-y-auto p-1">
            <Command.Empty className="px-2 py-3 text-muted text-sm">
              Nothing fits this search.
            </Command.Empty>
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
          </Command.List>
        </Command>
      </PopoverContent>
    </Popover>
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

/** Every word of the search must be in what is shown; the value itself, mostly an id, is not looked at. */
function fits(_value: string, search: string, keywords: string[] = []): number {
  const text = keywords.join(' ').toLowerCase()
  const words = search.toLowerCase().split(/\s+/)
  return words.every((word) => text.includes(word)) ? 1 : 0
}
