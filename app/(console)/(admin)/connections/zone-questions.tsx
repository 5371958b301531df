'use client'
import type { ConnectionListing } from '@toolgate/server/domains/connections/schemas'
import type { ZoneEffect } from '@toolgate/server/toolset/policy/policy-effect'
import { TriangleAlert } from 'lucide-react'
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { ReasonDialog } from '@/components/forms/reason-dialog'
import { sendAction } from '@/components/forms/use-act'
import { type ConnectionDraft, factsOf, hasOtherHost } from '@/components/nouns/connection-draft'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { useToast } from '@/components/ui/toast'
import { zoneReasons } from '@/lib/domains/connections/shape'
import type { ActionError, ActionResult } from '@/lib/next/action'
import type { TrustZone } from '@/lib/protocol/model/model-target'
import { dataClassInSentence, zoneWords } from '@/lib/protocol/trust-words'
import { inSentence } from '@/lib/words/format'
import { changeConnection, checkZone, previewTrustZone } from './actions'
import { zoneMismatch } from './connection-words'

/** A question about the trust zone that is answered before a connection is saved. */
export type ZoneQuestion = {
  zone: TrustZone
  /** The public host that contradicts the zone and has to be typed; null = the zone fits. */
  host: string | null
  isRezoned: boolean
}

/** Returns what to ask before the draft is saved, or the error of a missing zone; null = nothing. `stored` null = it is new. */
export async function zoneQuestion(
  draft: ConnectionDraft,
  stored: ConnectionListing | null,
): Promise<ZoneQuestion | ActionError | null> {
  const { trustZone: zone } = draft
  if (zone === '') {
    const message = 'Pick a trust zone.'
    return { code: 'invalid-input', message, fields: { trustZone: message } }
  }
  const isRezoned = stored !== null && zone !== stored.trustZone
  const isChecked = stored === null || isRezoned || hasOtherHost(draft, stored)
  const { wire, baseUrl, settings } = factsOf(draft)
  const address = { wire, baseUrl, settings, trustZone: zone }
  // When the check fails, the server reports the error once the draft is sent.
  const answer = isChecked ? await sendAction(() => checkZone(address)) : null
  const host = answer?.ok ? answer.value : null
  return isRezoned || host !== null ? { zone, host, isRezoned } : null
}

type Answering = {
  onSubmit: (reason: string, typed: string) => Promise<ActionError | null>
  onClose: () => void
}

/** Shows the dialog of a `ZoneQuestion`. `id` null = a new connection. */
export function ZoneDialog({
  id,
  name,
  question: { zone, host, isRezoned },
  ...answering
}: Answering & { id: string | null; name: string; question: ZoneQuestion }) {
  if (id !== null && isRezoned)
    return <ChangeZone id={id} name={name} zone={zone} host={host} {...answering} />
  return host === null ? null : <ConfirmZone host={host} zone={zone} {...answering} />
}

/** Asks to type the host and a reason before a public address gets a trust zone of one's own network. */
function ConfirmZone({ host, zone, ...answering }: Answering & { host: string; zone: TrustZone }) {
  return (
    <ReasonDialog
      title={`Trust ${host} as ${inSentence(zoneWords[zone])}`}
      description={contradictionWords(host, zone)}
      required={zoneReasons.confirm}
      danger
      typeToConfirm={host}
      {...answering}
    />
  )
}

function contradictionWords(host: string, zone: TrustZone): string {
  return `${host} is a public address. ${zoneWords[zone]} is for your own network.`
}

/** Asks before the trust zone changes: shows which tools it allows or denies, and asks for a reason. */
function ChangeZone({
  id,
  name,
  zone,
  host,
  ...answering
}: Answering & Pick<ZoneQuestion, 'zone' | 'host'> & { id: string; name: string }) {
  const [effects, setEffects] = useState<ActionResult<ZoneEffect[]> | null>(null)
  // External system: the server, which knows every configuration and tool.
  useEffect(() => {
    let current = true
    void sendAction(() => previewTrustZone({ id, zone })).then((answer) => {
      if (current) setEffects(answer)
    })
    return () => {
      current = false
    }
  }, [id, zone])
  return (
    <ReasonDialog
      title={`Trust ${name} as ${inSentence(zoneWords[zone])}`}
      description="A lower zone ends its use in active runs and resets raised data classes."
      required={zoneReasons.change}
      danger
      typeToConfirm={host}
      {...answering}
    >
      {host !== null && <p className="text-warning">{contradictionWords(host, zone)}</p>}
      <Effects effects={effects} />
    </ReasonDialog>
  )
}

function Effects({ effects }: { effects: ActionResult<ZoneEffect[]> | null }) {
  if (!effects) return <p role="status">Checking tools…</p>
  if (!effects.ok) return <p className="text-error">{effects.error.message}</p>
  if (effects.value.length === 0) return <p>No tools change.</p>
  return (
    <ul className="flex max-h-60 flex-col gap-2 overflow-y-auto rounded-md border p-3 text-sm">
      {effects.value.map(({ configuration, before, after, opens, closes }) => (
        <li key={configuration.id}>
          <Link
            href={`/configurations/${configuration.id}#trust`}
            target="_blank"
            className="text-link hover:underline"
          >
            {configuration.name}
          </Link>
          : {dataClassInSentence(before)} → {dataClassInSentence(after)}
          <Tools head="Allowed" names={opens} />
          <Tools head="Denied" names={closes} />
        </li>
      ))}
    </ul>
  )
}

function Tools({ head, names }: { head: string; names: string[] }) {
  if (names.length === 0) return null
  return (
    <p className="[overflow-wrap:anywhere]">
      {head}: <span className="font-mono text-mono">{names.join(', ')}</span>
    </p>
  )
}

/** Says that the address contradicts the trust zone, and offers to confirm it. */
export function ZoneMismatch({
  connection: { id, trustZone, updatedAt, zone },
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
    toast({ tone: 'ok', title: 'Trust zone confirmed' })
    router.refresh()
    return null
  }
  return (
    <section
      aria-label={zoneMismatch}
      className="flex max-w-3xl flex-col items-start gap-2 rounded-md border border-warning/40 bg-warning-soft p-3"
    >
      <p className="flex items-center gap-1.5 font-medium text-strong">
        <TriangleAlert className="size-4 shrink-0 text-warning" aria-hidden />
        {zoneMismatch}
      </p>
      <p className="[overflow-wrap:anywhere]">
        <VisibleText text={contradictionWords(zone.host, trustZone)} /> Its requests are refused
        until you change or confirm it.
      </p>
      <Button onClick={() => setAsking(true)}>Confirm…</Button>
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
