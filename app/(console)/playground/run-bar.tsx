import type { RunObstacle } from '@toolgate/server/runs/start/run-obstacle'
import { ChevronDown, FileSearch, Play } from 'lucide-react'
import Link from 'next/link'
import { type ReactNode, useId } from 'react'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { IconButton } from '@/components/ui/icon-button'
import { Kbd } from '@/components/ui/kbd'
import { MenuButton } from '@/components/ui/menu-button'
import { panelSize } from '@/lib/protocol/panel/panel'
import { countOf } from '@/lib/words/format'

type Props = {
  hintId: string
  busy: boolean
  /** A run is under way in this tab; it has to end first. */
  running: boolean
  /** Why no run can start now; null = no reason is known. */
  obstacle: RunObstacle | null
  /** The number of a panel's members; absent or null = it is one run. */
  members?: number | null
  /** Shows what the run would send; absent or null = a panel, of which there is no dry run. */
  onDryRun?: (() => void) | null
  children?: ReactNode
}

/** Shows the button that submits the surrounding form. On a phone it stays at the lower edge. */
export function RunBar({
  hintId,
  busy,
  running,
  obstacle,
  members = null,
  onDryRun = null,
  children,
}: Props) {
  const reasonId = useId()
  const shown = running ? null : obstacle
  return (
    <div className="flex items-center justify-between gap-3">
      <p id={hintId} className="hidden shrink-0 items-center gap-1 text-muted text-sm md:flex">
        <Kbd>Ctrl</Kbd> or <Kbd>⌘</Kbd> <Kbd>Enter</Kbd> runs, <Kbd>Esc</Kbd> stops
      </p>
      {children}
      <div
        data-bottom-bar
        className="fixed inset-x-0 bottom-0 z-20 flex flex-col border-t bg-surface-1 p-3 md:static md:ml-auto md:flex-row md:items-center md:gap-3 md:border-0 md:bg-transparent md:p-0"
      >
        <div id={reasonId} role="status" className="min-w-0 text-sm [overflow-wrap:anywhere]">
          {shown && (
            <p className="mb-2 md:mb-0">
              <VisibleText text={shown.reason} />{' '}
              {shown.link && (
                <Link href={shown.link.href} className="text-link hover:underline">
                  {shown.link.label}
                </Link>
              )}
            </p>
          )}
        </div>
        <div className="flex shrink-0 gap-1">
          <Button
            type="submit"
            variant="primary"
            loading={busy}
            disabled={running || obstacle !== null}
            aria-describedby={shown ? reasonId : undefined}
            className="flex-1 md:flex-none"
          >
            {!busy && <Play className="size-4 fill-current" aria-hidden />}
            {members === null
              ? 'Run'
              : members < panelSize.least
                ? 'Run members'
                : `Run ${countOf(members, 'member')}`}
          </Button>
          {onDryRun && (
            <MenuButton
              align="end"
              entries={[{ label: 'Dry run', icon: FileSearch, onSelect: onDryRun }]}
            >
              <IconButton label="More ways to run" variant="secondary">
                <ChevronDown aria-hidden />
              </IconButton>
            </MenuButton>
          )}
        </div>
      </div>
    </div>
  )
}
