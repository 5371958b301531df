'use client'
import { OctagonX } from 'lucide-react'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { RelativeTime } from '@/components/ui/relative-time'
import type { Freeze } from '@/lib/domains/settings/read-freeze'
import type { Role } from '@/lib/protocol/tool'
import { useFreeze } from './use-freeze'

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
          <strong className="font-semibold">This site is frozen.</strong> No run or tool can start.
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
      <Button size="sm" aria-haspopup="dialog" onClick={ask}>
        Unfreeze
      </Button>
      {dialog}
    </>
  )
}
