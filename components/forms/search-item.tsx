import { Command } from 'cmdk'
import { Check } from 'lucide-react'
import type { ComponentProps } from 'react'

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
