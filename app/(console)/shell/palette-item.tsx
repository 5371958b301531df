import { Command } from 'cmdk'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

export function PaletteItem({
  icon: Icon,
  hint,
  keywords,
  onSelect,
  children,
}: {
  icon: LucideIcon
  hint?: string
  keywords?: string[]
  onSelect: () => void
  children: ReactNode
}) {
  return (
    <Command.Item
      onSelect={onSelect}
      keywords={keywords}
      className="flex min-h-8 cursor-pointer items-center gap-2 rounded-sm px-2 py-1 text-normal data-[selected=true]:bg-surface-2 data-[selected=true]:text-strong pointer-coarse:min-h-11"
    >
      <Icon className="size-4 shrink-0 text-muted" aria-hidden />
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {hint && <span className="text-muted text-sm">{hint}</span>}
    </Command.Item>
  )
}
