'use client'
import { OctagonX } from 'lucide-react'
import { useState } from 'react'
import { ReasonDialog } from '@/components/forms/reason-dialog'
import { sendAction } from '@/components/forms/send-action'
import { Button } from '@/components/ui/button'
import { useToast } from '@/components/ui/toast'
import type { Role } from '@/lib/protocol/tool'
import { freeze } from './freeze-actions'

/** The emergency stop of admins, in reach on every page; while it is pulled, everybody sees that it is. */
export function FreezeControl({ frozen, role }: { frozen: boolean; role: Role }) {
  const [asking, setAsking] = useState(false)
  const toast = useToast()
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
  const submit = async (reason: string) => {
    const result = await sendAction(() => freeze({ reason }))
    if (!result.ok) return result.error
    setAsking(false)
    toast({ tone: 'ok', about: 'freeze', title: 'This site is frozen' })
    return null
  }
  return (
    <>
      <Button
        size="sm"
        className="border-error/50 text-error"
        aria-haspopup="dialog"
        onClick={() => setAsking(true)}
      >
        <OctagonX className="size-4" aria-hidden />
        <span className="max-sm:sr-only">Freeze</span>
      </Button>
      {asking && (
        <ReasonDialog
          title="Freeze this site"
          description="No run and no tool call starts until an admin unfreezes it. Runs under way end within two seconds, whoever started them; what they wrote so far is kept."
          required="Say why: everybody will read it."
          hint="Everybody who is signed in reads it, and it is kept in the audit."
          danger
          failed="The site was not frozen"
          onSubmit={submit}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
