'use client'
import type { FoldedPanel } from '@toolgate/server/runs/lists/listed-run'
import { ChevronRight } from 'lucide-react'
import { createContext, use } from 'react'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { visibleText } from '@/lib/words/clean-text'
import { countOf } from '@/lib/words/format'

/** Which panels of the list are open, by their ids. */
export const OpenPanels = createContext<{
  open: ReadonlySet<string>
  toggle: (panelId: string) => void
}>({ open: new Set(), toggle: () => {} })

/** Shows how many members a panel has. A press shows them below it. */
export function Members({
  panel: { panelId, title, members },
}: {
  panel: Pick<FoldedPanel, 'panelId' | 'title' | 'members'>
}) {
  const { open, toggle } = use(OpenPanels)
  const isOpen = open.has(panelId)
  const count = countOf(members.length, 'member')
  return (
    <Button
      variant="ghost"
      size="sm"
      aria-expanded={isOpen}
      aria-label={`${count} of ${visibleText(title)}`}
      onClick={() => toggle(panelId)}
      className="relative z-10 -my-1 -ml-2 shrink-0 self-start gap-1 px-1"
    >
      <ChevronRight
        className={cn('size-4 transition-transform', isOpen && 'rotate-90')}
        aria-hidden
      />
      {count}
    </Button>
  )
}

/** Says which members the filter finds, where it does not find all of them. */
export function Fitting({ panel: { fitting } }: { panel: Pick<FoldedPanel, 'fitting'> }) {
  if (!fitting) return null
  const names = fitting.join(', ')
  return (
    <span className="block truncate text-muted text-sm" title={visibleText(names)}>
      Found: <VisibleText text={names} />
    </span>
  )
}
