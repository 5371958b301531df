'use client'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { ChangedMeanwhile } from '@/components/forms/changed-meanwhile'
import { sendAction } from '@/components/forms/send-action'
import { Field } from '@/components/ui/field'
import { Section } from '@/components/ui/section'
import { useToast } from '@/components/ui/toast'
import type { ConnectionListing } from '@/lib/domains/connections/schemas'
import type { ActionError } from '@/lib/kernel/action'
import { keyLabel } from '@/lib/protocol/connection-settings'
import type { TrustZone } from '@/lib/protocol/model-target'
import { changeConnection } from '../actions'
import { ConfirmZone, hostToConfirm } from '../confirm-zone'
import {
  type ConnectionDraft,
  draftOf,
  goesElsewhere,
  hasOtherHost,
  toChange,
  withZoneReset,
} from '../connection-draft'
import { ConnectionFields } from '../connection-fields'
import { FormEnd } from '../form-end'
import { LimitFields } from '../limit-fields'
import { SecretInput } from '../secret-input'
import { useConnectionForm } from '../use-connection-form'
import { ZoneQuestion } from './zone-question'

/** The form that changes a connection. A change of the trust zone asks first. */
export function SettingsSection({ connection }: { connection: ConnectionListing }) {
  const { id, name } = connection
  const router = useRouter()
  const toast = useToast()
  const [asking, setAsking] = useState<Asking | null>(null)
  // The values the fields were filled from, so that a save does not overwrite a change by somebody else.
  const [filledFrom, setFilledFrom] = useState(connection)

  const send = async (
    draft: ConnectionDraft,
    { reason = '', confirmZone = '' } = {},
  ): Promise<ActionError | null> => {
    const change = { ...toChange(draft, filledFrom), reason, confirmZone }
    const result = await sendAction(() => changeConnection({ id, ...change }))
    if (!result.ok) {
      // Somebody else may have saved first; then the page says so and offers a choice.
      if (result.error.code === 'conflict') router.refresh()
      return result.error
    }
    state.settle({ ...draft, apiKey: '' })
    toast({ tone: 'ok', title: result.value ? `Saved ${draft.name.trim()}` : 'Nothing changed' })
    router.refresh()
    return null
  }
  const save = async (draft: ConnectionDraft) => {
    const { trustZone: zone } = draft
    if (zone === '') return zoneMissing
    const isRezoned = zone !== filledFrom.trustZone
    const isAsked = isRezoned || hasOtherHost(draft, filledFrom)
    const host = isAsked ? await hostToConfirm(draft) : null
    if (!isRezoned && host === null) return send(draft)
    setAsking({ draft, zone, host, isRezoned })
    return null
  }
  const state = useConnectionForm(id, draftOf(connection), save)
  const { form, draft, errors, submit } = state
  const change = (part: Partial<ConnectionDraft>) =>
    state.change(withZoneReset(draft, part, filledFrom))
  const takeStored = () => {
    setFilledFrom(connection)
    state.settle(draftOf(connection))
  }
  const isOutdated = connection.updatedAt !== filledFrom.updatedAt
  if (isOutdated && !state.unsaved) takeStored()
  const fields = { draft, errors: errors.fields, onChange: change }
  const answering = {
    onSubmit: async (reason: string, confirmZone: string) => {
      if (!asking) return null
      const error = await send(asking.draft, { reason, confirmZone })
      if (error?.fields && !error.fields.reason) {
        setAsking(null)
        state.show(error)
        return null
      }
      if (!error) setAsking(null)
      return error
    },
    onClose: () => setAsking(null),
  }
  return (
    <Section title="Settings">
      <form ref={form} noValidate onSubmit={submit} className="flex max-w-160 flex-col gap-4">
        {isOutdated && state.unsaved && (
          <ChangedMeanwhile
            title="Somebody changed this connection while you were editing."
            take="Load the stored values"
            onKeep={() => setFilledFrom(connection)}
            onTake={takeStored}
          />
        )}
        <ConnectionFields {...fields} />
        {goesElsewhere(draft, filledFrom) && <OtherHost connection={connection} {...fields} />}
        {draft.wire !== 'demo' && <LimitFields {...fields} />}
        <FormEnd state={state} failed="The connection was not saved" button="Save" />
      </form>
      {asking && <Question id={id} name={name} asking={asking} {...answering} />}
    </Section>
  )
}

/** A change that needs confirmation. `host`: the public host that contradicts the zone; null = the zone fits. */
type Asking = {
  draft: ConnectionDraft
  zone: TrustZone
  host: string | null
  isRezoned: boolean
}

const zoneMissing: ActionError = {
  code: 'invalid-input',
  message: 'Pick the trust zone for this host.',
  fields: { trustZone: 'Pick the trust zone for this host.' },
}

type QuestionProps = {
  id: string
  name: string
  asking: Asking
  onSubmit: (reason: string, typed: string) => Promise<ActionError | null>
  onClose: () => void
}

function Question({ asking: { zone, host, isRezoned }, id, name, ...answering }: QuestionProps) {
  if (isRezoned) return <ZoneQuestion {...{ id, name, zone, host }} {...answering} />
  return host === null ? null : <ConfirmZone {...{ host, zone }} {...answering} />
}

/** Stored secrets belong to the host they were entered for. */
function OtherHost({
  connection: { key, headerNames },
  draft,
  errors,
  onChange,
}: Parameters<typeof ConnectionFields>[0] & { connection: ConnectionListing }) {
  if (!key && headerNames.length === 0) return null
  return (
    <div className="flex flex-col gap-2 rounded-md border border-warning/40 bg-warning-soft p-3">
      <p>
        This is another host. The stored key and headers are not sent there.
        {headerNames.length > 0 &&
          ` These headers are removed. Enter them again below: ${headerNames.join(', ')}.`}
      </p>
      {key && (
        <Field
          id="new-host-key"
          label={`${keyLabel(draft.wire, draft.settings) ?? 'API key'} for the new host`}
          optional
          hint="If you leave this empty, the connection will have no key."
          error={errors.apiKey}
        >
          {(control) => (
            <SecretInput
              {...control}
              value={draft.apiKey}
              onChange={(event) => onChange({ apiKey: event.target.value })}
            />
          )}
        </Field>
      )}
    </div>
  )
}
