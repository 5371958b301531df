import { Command } from 'cmdk'
import { Check, ChevronsUpDown } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { cn } from '@/components/ui/cn'
import { controlStyles } from '@/components/ui/control-styles'
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover'

type Props = {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The name of the list: "Tasks". */
  label: string
  /** The placeholder of the search field: "Search tasks". */
  searchLabel: string
  /** Shown when nothing matches: "No matches". */
  nothing: string
  /** The value of the item that is marked when it opens. */
  start?: string
  /** The text of the button: the choice, or muted words for no choice. */
  shown: ReactNode
  isMuted?: boolean
  button: ComponentProps<'button'>
  /** Class names of the list. */
  className?: string
  /** Returns whether an item matches the typed text; left out = cmdk's own matching. */
  filter?: ComponentProps<typeof Command>['filter']
  /** `Command.Item`s, in groups or not. */
  children: ReactNode
}

/** Shows a button that opens a list with a search field, to choose one of many. */
export function SearchPopover({
  open,
  onOpenChange,
  label,
  searchLabel,
  nothing,
  start,
  shown,
  isMuted = false,
  button,
  className,
  filter,
  children,
}: Props) {
  return (
    <Popover open={open} onOpenChange={onOpenChange}>
      <PopoverTrigger asChild>
        <button
          type="button"
          {...button}
          className={cn(
            controlStyles,
            'flex h-8 items-center justify-between gap-2 px-2.5 text-left pointer-coarse:h-10',
            button.className,
          )}
        >
          <span className={cn('truncate', isMuted && 'text-muted')}>{shown}</span>
          <ChevronsUpDown className="size-4 shrink-0 text-muted" aria-hidden />
        </button>
      </PopoverTrigger>
      <PopoverContent align="start" aria-label={label} className={cn('p-0', className)}>
        <Command label={searchLabel} loop defaultValue={start} filter={filter}>
          <Command.Input
            placeholder={searchLabel}
            className="h-9 w-full border-b bg-transparent px-3 text-base text-strong outline-none pointer-coarse:text-lg"
          />
          <Command.List className="max-h-80 overflow-y-auto p-1">
            <Command.Empty className="px-2 py-3 text-muted text-sm">{nothing}</Command.Empty>
            {children}
          </Command.List>
        </Command>
      </PopoverContent>
    </Popover>
  )
}

/** Shows one entry of a `SearchPopover`: its name, with a muted line below it. */
export function SearchItem({
  name,
  about,
  isChosen,
  children,
  ...item
}: ComponentProps<typeof Command.Item> & { name: string; about: string; isChosen: boolean }) {
  return (
    <Command.Item
      className="flex min-h-9 cursor-pointer items-center gap-2 rounded-sm px-2 py-1 data-[disabled=true]:cursor-not-allowed data-[disabled=true]:opacity-60 data-[selected=true]:bg-surface-2 pointer-coarse:min-h-11"
      {...item}
    >
      <span className="min-w-0 flex-1">
        <span className="block truncate text-strong">{name}</span>
        <span className="block truncate text-muted text-sm">{about}</span>
      </span>
      {children}
      {isChosen && <Check className="size-4 shrink-0 text-link" aria-hidden />}
    </Command.Item>
  )
}
