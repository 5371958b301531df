'use client'
import { OctagonX } from 'lucide-react'
import { useState } from 'react'
import { ReasonDialog } from '@/components/forms/reason-dialog'
import { sendAction } from '@/components/forms/send-action'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { RelativeTime } from '@/components/ui/relative-time'
import { useToast } from '@/components/ui/toast'
import type { Role } from '@/lib/protocol/tool'
import type { Freeze } from '@/lib/settings/read-freeze'
import { unfreeze } from './freeze-actions'

/** On every page while the site is frozen: who, when, why, and for admins the way back. */
export function FreezeBar({ freeze, role }: { freeze: Freeze; role: Role }) {
  return (
    <section
      id="site-freeze"
      aria-label="Site freeze"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 bg-danger px-3 py-2 text-on-accent md:px-4"
    >
      <OctagonX className="size-5 shrink-0" aria-hidden />
      <p className="min-w-0 flex-1 basis-64 [overflow-wrap:anywhere]">
        {/* This much alone is announced: the time goes on, and would be read out again with each minute. */}
        <span role="alert">
          <strong className="font-semibold">This site is frozen.</strong> No run and no tool starts.
        </span>{' '}
        <VisibleText text={freeze.by} /> stopped everything <RelativeTime at={freeze.at} />:{' '}
        <VisibleText text={`“${freeze.reason}”`} />
      </p>
      {role === 'admin' && <Unfreeze />}
    </section>
  )
}

function Unfreeze() {
  const [asking, setAsking] = useState(false)
  const toast = useToast()
  const submit = async (reason: string) => {
    const result = await sendAction(() => unfreeze({ reason }))
    if (!result.ok) return result.error
    setAsking(false)
    toast({ tone: 'ok', about: 'freeze', title: 'This site is not frozen any more' })
    return null
  }
  return (
    <>
      <Button size="sm" aria-haspopup="dialog" onClick={() => setAsking(true)}>
        Unfreeze
      </Button>
      {asking && (
        <ReasonDialog
          title="Unfreeze this site"
          description="Runs and tools may start again at once, as the switches and rules allow. Runs that the freeze ended stay ended."
          required={null}
          hint="Kept in the audit."
          danger={false}
          failed="The site is still frozen"
          onSubmit={submit}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
