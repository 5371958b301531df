'use client'
import { Command } from 'cmdk'
import { Check, ChevronsUpDown } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { cn } from '@/components/ui/cn'
import { controlStyles } from '@/components/ui/control-styles'
import type { FieldControl } from '@/components/ui/field'
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover'
import type { ToolChoiceOption } from './read-choices'

type Props = FieldControl & {
  tools: ToolChoiceOption[]
  /** Null = any tool; a name that no tool has any more stays. */
  chosen: string | null
  onChoose: (name: string | null) => void
}

/** One tool of many, found by typing, or any. */
export function ToolChoice({ tools, chosen, onChoose, ...control }: Props) {
  const [open, setOpen] = useState(false)
  const choose = (name: string | null) => {
    onChoose(name)
    setOpen(false)
  }
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <button
          type="button"
          {...control}
          aria-label={`Tool: ${chosen ?? 'Any tool'}`}
          className={cn(
            controlStyles,
            'flex h-8 items-center justify-between gap-2 px-2.5 text-left pointer-coarse:h-10',
          )}
        >
          <span className={cn('truncate', chosen !== null && 'font-mono text-mono')}>
            {chosen ?? 'Any tool'}
          </span>
          <ChevronsUpDown className="size-4 shrink-0 text-muted" aria-hidden />
        </button>
      </PopoverTrigger>
      <PopoverContent align="start" aria-label="Tools" className="p-0">
        <Command label="Tools" loop defaultValue={chosen ?? anyTool}>
          <Command.Input
            placeholder="Search tools"
            className="h-9 w-full border-b bg-transparent px-3 text-base text-strong outline-none pointer-coarse:text-lg"
          />
          <Command.List className="max-h-80 overflow-y-auto p-1">
            <Command.Empty className="px-2 py-3 text-muted text-sm">
              No tool fits this search.
            </Command.Empty>
            <Option value={anyTool} chosen={chosen === null} onSelect={() => choose(null)}>
              Any tool
            </Option>
            {tools.map(({ name, group }) => (
              <Option
                key={name}
                value={name}
                hint={group}
                chosen={name === chosen}
                onSelect={() => choose(name)}
              >
                <span className="font-mono text-mono">{name}</span>
              </Option>
            ))}
          </Command.List>
        </Command>
      </PopoverContent>
    </Popover>
  )
}

const anyTool = 'any tool'

function Option({
  value,
  hint,
  chosen,
  onSelect,
  children,
}: {
  value: string
  hint?: string
  chosen: boolean
  onSelect: () => void
  children: ReactNode
}) {
  return (
    <Command.Item
      value={value}
      keywords={hint ? [hint] : undefined}
      onSelect={onSelect}
      className="flex min-h-8 cursor-pointer items-center gap-2 rounded-sm px-2 py-1 text-strong data-[selected=true]:bg-surface-2 pointer-coarse:min-h-11"
    >
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {hint && <span className="text-muted text-sm">{hint}</span>}
      {chosen && <Check className="size-4 shrink-0 text-link" aria-hidden />}
    </Command.Item>
  )
}
