import { Command } from 'cmdk'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

export function PaletteGroup({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-muted [&_[cmdk-group-heading]]:text-xs"
    >
      {children}
    </Command.Group>
  )
}

/** Shows one item. `value` identifies it, because two items may show the same words. */
export function PaletteItem({
  value,
  icon: Icon,
  hint,
  onSelect,
  children,
}: {
  value: string
  icon: LucideIcon
  hint?: ReactNode
  onSelect: () => void
  children: ReactNode
}) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex min-h-8 cursor-pointer items-center gap-2 rounded-sm px-2 py-1 text-normal data-[selected=true]:bg-surface-2 data-[selected=true]:text-strong pointer-coarse:min-h-11"
    >
      <Icon className="size-4 shrink-0 text-muted" aria-hidden />
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {hint && <span className="max-w-[40%] truncate text-muted text-sm">{hint}</span>}
    </Command.Item>
  )
}
