'use client'
import type { ReactNode } from 'react'
import { ReasonDialog } from '@/components/forms/reason-dialog'
import { sendAction } from '@/components/forms/send-action'
import type { ActionError } from '@/lib/kernel/action'
import { inSentence, zoneWords } from '@/lib/protocol/configuration-form'
import type { TrustZone } from '@/lib/protocol/model-target'
import { checkZone } from './actions'
import { type ConnectionDraft, toNewConnection } from './connection-draft'

type Props = {
  host: string
  zone: TrustZone
  onSubmit: (reason: string, typed: string) => Promise<ActionError | null>
  onClose: () => void
  children?: ReactNode
}

/** Asks to type the host and a reason before a public address gets a trust zone of one's own network. */
export function ConfirmZone({ host, zone, onSubmit, onClose, children }: Props) {
  return (
    <ReasonDialog
      title={`Trust ${host} as ${inSentence(zoneWords[zone])}`}
      description={contradictionWords(host, zone)}
      required="Say why this address is trusted. The reason is stored in the audit."
      hint="Stored in the audit and shown on the connection."
      danger
      typeToConfirm={host}
      failed="The connection was not saved"
      onSubmit={onSubmit}
      onClose={onClose}
    >
      {children}
    </ReasonDialog>
  )
}

export function contradictionWords(host: string, zone: TrustZone): string {
  return `${host} is a public address. The trust zone ${zoneWords[zone]} allows data that should stay in your own network.`
}

/** The host that has to be confirmed before the draft is saved; null = none, or the server will say what is wrong. */
export async function hostToConfirm(draft: ConnectionDraft): Promise<string | null> {
  if (draft.trustZone === '') return null
  const { wire, baseUrl = null, settings } = toNewConnection(draft)
  const { trustZone } = draft
  const answer = await sendAction(() => checkZone({ wire, baseUrl, settings, trustZone }))
  return answer.ok ? answer.value : null
}
