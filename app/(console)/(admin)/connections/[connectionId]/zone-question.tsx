'use client'
import Link from 'next/link'
import { useEffect, useState } from 'react'
import { ReasonDialog } from '@/components/forms/reason-dialog'
import { sendAction } from '@/components/forms/send-action'
import type { ActionError, ActionResult } from '@/lib/kernel/action'
import { dataClassInSentence, inSentence, zoneWords } from '@/lib/protocol/configuration-form'
import type { TrustZone } from '@/lib/protocol/model-target'
import type { ZoneEffect } from '@/lib/toolset/trust-zone-effect'
import { previewTrustZone } from '../actions'
import { contradictionWords } from '../confirm-zone'

type Props = {
  id: string
  name: string
  zone: TrustZone
  /** The public host that contradicts the zone and has to be typed; null = the zone fits. */
  host: string | null
  onSubmit: (reason: string, typed: string) => Promise<ActionError | null>
  onClose: () => void
}

/** Asks before the trust zone changes: shows which tools it allows or denies, and asks for a reason. */
export function ZoneQuestion({ id, name, zone, host, onSubmit, onClose }: Props) {
  const [effects, setEffects] = useState<ActionResult<ZoneEffect[]> | null>(null)
  // Outside system: the server, which knows every configuration and tool.
  useEffect(() => {
    let current = true
    void sendAction(() => previewTrustZone({ id, trustZone: zone })).then((answer) => {
      if (current) setEffects(answer)
    })
    return () => {
      current = false
    }
  }, [id, zone])
  return (
    <ReasonDialog
      title={`Trust ${name} as ${inSentence(zoneWords[zone])}`}
      description="The trust zone decides which data this provider may receive. If it is lowered, active runs stop using this provider and raised data classes are reset. Newly allowed tools apply to later runs."
      required="Give a reason. The trust zone decides which tools may run with this provider."
      hint="Stored in the audit."
      danger
      typeToConfirm={host}
      failed="The trust zone was not saved"
      onSubmit={onSubmit}
      onClose={onClose}
    >
      {host !== null && <p className="text-warning">{contradictionWords(host, zone)}</p>}
      <Effects effects={effects} />
    </ReasonDialog>
  )
}

function Effects({ effects }: { effects: ActionResult<ZoneEffect[]> | null }) {
  if (!effects) return <p role="status">Checking the effect on tools…</p>
  if (!effects.ok) return <p className="text-error">{effects.error.message}</p>
  if (effects.value.length === 0) return <p>The tools of all configurations stay the same.</p>
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
          : up to {dataClassInSentence(after)} instead of {dataClassInSentence(before)}.
          <Tools head="Newly allowed tools" names={opens} />
          <Tools head="Tools no longer allowed" names={closes} />
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
