import { Settings2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '@/components/ui/cn'

/** Shows the settings of the Playground: at the side on wide screens, folded to one line on narrow ones. */
export function SidePanel({
  open,
  onToggle,
  line,
  children,
}: {
  open: boolean
  onToggle: () => void
  line: ReactNode
  children: ReactNode
}) {
  return (
    <>
      <button
        type="button"
        aria-expanded={open}
        aria-controls="playground-panel"
        onClick={onToggle}
        className="flex min-h-11 items-center gap-2 border-b bg-surface-1 px-4 text-left lg:hidden"
      >
        <Settings2 className="size-4 shrink-0 text-muted" aria-hidden />
        <span className="min-w-0 flex-1 truncate text-strong">{line}</span>
        <span className="text-link text-sm">{open ? 'Close' : 'Change'}</span>
      </button>
      <div
        id="playground-panel"
        className={cn(
          'flex-col gap-6 border-b bg-surface-1 p-4 lg:sticky lg:top-12 lg:flex lg:h-[calc(100dvh-3rem)] lg:w-80 lg:shrink-0 lg:overflow-y-auto lg:border-r lg:border-b-0',
          open ? 'flex' : 'hidden',
        )}
      >
        {children}
      </div>
    </>
  )
}
