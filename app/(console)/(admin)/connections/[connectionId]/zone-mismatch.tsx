'use client'
import { TriangleAlert } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { sendAction } from '@/components/forms/send-action'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { useToast } from '@/components/ui/toast'
import type { ConnectionListing } from '@/lib/domains/connections/schemas'
import { changeConnection } from '../actions'
import { ConfirmZone, contradictionWords } from '../confirm-zone'

/** Says that the address contradicts the trust zone, and offers to confirm it. */
export function ZoneMismatch({
  connection: { id, name, trustZone, updatedAt, zone },
}: {
  connection: ConnectionListing
}) {
  const router = useRouter()
  const toast = useToast()
  const [asking, setAsking] = useState(false)
  if (zone.type !== 'mismatch') return null
  const confirm = async (reason: string, confirmZone: string) => {
    const change = { id, trustZone, updatedAt, reason, confirmZone }
    const result = await sendAction(() => changeConnection(change))
    if (!result.ok) return result.error
    setAsking(false)
    toast({ tone: 'ok', title: `Confirmed the trust zone of ${name}` })
    router.refresh()
    return null
  }
  return (
    <section
      aria-label="Trust zone does not match the address"
      className="flex max-w-3xl flex-col items-start gap-2 rounded-md border border-warning/40 bg-warning-soft p-3"
    >
      <p className="flex items-center gap-1.5 font-medium text-strong">
        <TriangleAlert className="size-4 shrink-0 text-warning" aria-hidden />
        Trust zone does not match the address
      </p>
      <p className="[overflow-wrap:anywhere]">
        <VisibleText text={contradictionWords(zone.host, trustZone)} /> Pick an external trust zone
        under Settings, or confirm this one.
      </p>
      <Button onClick={() => setAsking(true)}>Confirm the trust zone…</Button>
      {asking && (
        <ConfirmZone
          host={zone.host}
          zone={trustZone}
          onSubmit={confirm}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  )
}
