import { Play } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { Kbd } from '@/components/ui/kbd'

type Props = {
  hintId: string
  busy: boolean
  /** A run is under way in this tab; it has to end first. */
  running: boolean
  children?: ReactNode
}

/** The button of the form it stands in; on a phone it stays at the lower edge, in reach. */
export function RunBar({ hintId, busy, running, children }: Props) {
  return (
    <div className="flex items-center justify-between gap-3">
      <p id={hintId} className="hidden items-center gap-1 text-muted text-sm md:flex">
        <Kbd>Ctrl</Kbd> or <Kbd>⌘</Kbd> <Kbd>Enter</Kbd> runs, <Kbd>Esc</Kbd> stops
      </p>
      {children}
      <div
        data-bottom-bar
        className="fixed inset-x-0 bottom-0 z-20 border-t bg-surface-1 p-3 md:static md:ml-auto md:border-0 md:bg-transparent md:p-0"
      >
        <Button
          type="submit"
          variant="primary"
          loading={busy}
          disabled={running}
          className="w-full md:w-auto"
        >
          {!busy && <Play className="size-4 fill-current" aria-hidden />}
          Run
        </Button>
      </div>
    </div>
  )
}
