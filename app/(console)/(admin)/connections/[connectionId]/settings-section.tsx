'use client'
import { useState } from 'react'
import { ChangedMeanwhile } from '@/components/forms/changed-meanwhile'
import { Form } from '@/components/forms/form'
import { FormField } from '@/components/forms/form-field'
import { useFilledFrom } from '@/components/forms/use-action-form'
import { Section } from '@/components/ui/section'
import type { ConnectionListing } from '@/lib/domains/connections/schemas'
import type { ActionError } from '@/lib/kernel/action'
import { keyLabel } from '@/lib/protocol/connection-settings'
import { secretField } from '@/lib/protocol/field-shape'
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
import { type ConnectionForm, useConnectionForm, valuesOf } from '../use-connection-form'
import { ZoneQuestion } from './zone-question'

/** The form that changes a connection. A change of the trust zone asks first. */
export function SettingsSection({ connection }: { connection: ConnectionListing }) {
  const { id, name } = connection
  const [asking, setAsking] = useState<Asking | null>(null)
  const state: ConnectionForm = useConnectionForm({
    connectionId: id,
    isShared: true,
    initial: draftOf(connection),
    adjust: (now, before) => withZoneReset(now, before, base),
    ask: async (typed) => {
      const { trustZone: zone } = typed
      if (zone === '') return zoneMissing
      const isRezoned = zone !== base.trustZone
      const isAsked = isRezoned || hasOtherHost(typed, base)
      const host = isAsked ? await hostToConfirm(typed) : null
      if (!isRezoned && host === null) return false
      setAsking({ zone, host, isRezoned })
      return true
    },
    // Against the row that the fields were filled from, so that a save does not overwrite a change by somebody else.
    send: ({ reason, confirmZone, ...typed }) =>
      changeConnection({ id, ...toChange(typed, base), reason, confirmZone }),
    saved: (sent) => valuesOf({ ...sent, apiKey: '' }),
    done: (isChanged, sent) => (isChanged ? `Saved ${sent.name.trim()}` : 'Nothing changed'),
    onDone: () => setAsking(null),
  })
  const { form, draft } = state
  const { base, conflict } = useFilledFrom(form, {
    stored: connection,
    versionOf: ({ updatedAt }) => updatedAt,
    valuesOf: (stored) => valuesOf(draftOf(stored)),
  })
  const answering = {
    onSubmit: async (reason: string, confirmZone: string) => {
      const error = await form.sendNow({ reason, confirmZone })
      if (!error?.fields || error.fields.reason) return error
      setAsking(null)
      return null
    },
    onClose: () => setAsking(null),
  }
  return (
    <Section title="Settings">
      <Form form={form} className="max-w-160 gap-4">
        {conflict && (
          <ChangedMeanwhile
            title="Somebody changed this connection while you were editing."
            take="Load the stored values"
            {...conflict}
          />
        )}
        <ConnectionFields draft={draft} />
        {goesElsewhere(draft, base) && <OtherHost connection={connection} draft={draft} />}
        {draft.wire !== 'demo' && <LimitFields organisation={draft.organisation} />}
        <FormEnd state={state} failed="The connection was not saved" button="Save" />
      </Form>
      {asking && <Question id={id} name={name} asking={asking} {...answering} />}
    </Section>
  )
}

/** What has to be confirmed before the connection is saved. */
type Asking = { zone: TrustZone; host: string | null; isRezoned: boolean }

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
}: {
  connection: ConnectionListing
  draft: ConnectionDraft
}) {
  if (!key && headerNames.length === 0) return null
  return (
    <div className="flex flex-col gap-2 rounded-md border border-warning/40 bg-warning-soft p-3">
      <p>
        This is another host. The stored key and headers are not sent there.
        {headerNames.length > 0 &&
          ` These headers are removed. Enter them again below: ${headerNames.join(', ')}.`}
      </p>
      {key && (
        <FormField
          name="apiKey"
          shape={{
            ...secretField(`${keyLabel(draft.wire, draft.settings) ?? 'API key'} for the new host`),
            optional: true,
            hint: 'If you leave this empty, the connection will have no key.',
          }}
        />
      )}
    </div>
  )
}
