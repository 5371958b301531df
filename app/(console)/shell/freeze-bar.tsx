'use client'
import type { Freeze } from '@toolgate/server/domains/settings/read-freeze'
import { OctagonX } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { lazyPart, useWhenIdle } from '@/components/ui/lazy-part'
import { RelativeTime } from '@/components/ui/relative-time'
import type { Role } from '@/lib/protocol/tool'
import type { FreezeAct } from './freeze-dialog'

/** Says on every page while the site is frozen who froze it, when and why. Admins can unfreeze it there. */
export function FreezeBar({ freeze, role }: { freeze: Freeze; role: Role }) {
  return (
    <section
      id="site-freeze"
      aria-label="Site freeze"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 bg-danger px-3 py-2 text-on-accent md:px-4"
    >
      <OctagonX className="size-5 shrink-0" aria-hidden />
      <p className="min-w-0 flex-1 basis-64 [overflow-wrap:anywhere]">
        {/* Only this part is announced. The elapsed time would be read out again each minute. */}
        <span role="alert">
          <strong className="font-semibold">This site is frozen.</strong>
        </span>{' '}
        <VisibleText text={freeze.by} /> stopped everything <RelativeTime at={freeze.at} />:{' '}
        <VisibleText text={`“${freeze.reason}”`} />
      </p>
      {role === 'admin' && <Unfreeze />}
    </section>
  )
}

function Unfreeze() {
  const { ask, dialog } = useFreeze('unfreeze')
  return (
    <>
      <Button size="sm" aria-haspopup="dialog" onClick={ask} {...FreezeDialog.soon}>
        Unfreeze
      </Button>
      {dialog}
    </>
  )
}

const FreezeDialog = lazyPart(async () => (await import('./freeze-dialog')).FreezeDialog)

/** Returns the dialog that freezes or unfreezes the site, to be rendered, and `ask`, which opens it. */
export function useFreeze(act: FreezeAct): { ask: () => void; dialog: ReactNode } {
  const [asking, setAsking] = useState(false)
  return {
    ask: () => setAsking(true),
    dialog: asking && <FreezeDialog act={act} onClose={() => setAsking(false)} />,
  }
}

/** Shows, on every page, the button with which admins freeze the site. While it is frozen, everybody sees that. */
export function FreezeControl({ frozen, role }: { frozen: boolean; role: Role }) {
  const { ask, dialog } = useFreeze('freeze')
  useWhenIdle(FreezeDialog.prepare)
  if (frozen) {
    return (
      <a
        href="#site-freeze"
        className="inline-flex h-7 items-center gap-1.5 rounded-md bg-danger px-2 font-medium text-on-accent text-sm"
      >
        <OctagonX className="size-4" aria-hidden />
        Frozen
      </a>
    )
  }
  if (role !== 'admin') return null
  return (
    <>
      <Button
        size="sm"
        className="border-error/50 text-error"
        aria-haspopup="dialog"
        title="Ends all runs; none starts until it is unfrozen"
        onClick={ask}
        {...FreezeDialog.soon}
      >
        <OctagonX className="size-4" aria-hidden />
        <span>
          Freeze<span className="max-sm:sr-only"> site</span>
        </span>
      </Button>
      {dialog}
    </>
  )
}
