'use client'
import type { ConnectionListing } from '@toolgate/server/domains/connections/schemas'
import { ChangedMeanwhile } from '@/components/forms/changed-meanwhile'
import { Form, FormButtons } from '@/components/forms/form'
import { FormField } from '@/components/forms/form-field'
import { useFilledFrom } from '@/components/forms/use-action-form'
import {
  type ConnectionDraft,
  draftOf,
  needsOtherSecrets,
  toChange,
  withZoneReset,
} from '@/components/nouns/connection-draft'
import { ConnectionFields, LimitFields } from '@/components/nouns/connection-fields'
import { Section } from '@/components/ui/section'
import { keyLabel } from '@/lib/domains/connections/shared/connection-settings'
import { secretField } from '@/lib/shape/field-shape'
import { changeConnection } from '../actions'
import { type ConnectionForm, useConnectionForm, valuesOf } from '../connection-form'
import { ZoneDialog } from '../zone-questions'

/** Shows the form that changes a connection. A change of the trust zone asks first. */
export function SettingsSection({ connection }: { connection: ConnectionListing }) {
  const { id, name } = connection
  const state: ConnectionForm = useConnectionForm({
    isShared: true,
    initial: draftOf(connection),
    adjust: (now, before) => withZoneReset(now, before, base),
    base: () => base,
    // Against the row that the fields were filled from, so that a save does not overwrite a change by somebody else.
    send: ({ reason, confirmZone, ...typed }) =>
      changeConnection({ id, ...toChange(typed, base), reason, confirmZone }),
    saved: (sent) => valuesOf({ ...sent, apiKey: '' }),
    done: (isChanged, sent) => (isChanged ? `Saved ${sent.name.trim()}` : 'Nothing changed'),
  })
  const { form, draft, question } = state
  const { base, conflict } = useFilledFrom(form, {
    stored: connection,
    versionOf: ({ updatedAt }) => updatedAt,
    valuesOf: (stored) => valuesOf(draftOf(stored)),
  })
  return (
    <Section title="Settings">
      <Form form={form} className="gap-4">
        {conflict && (
          <ChangedMeanwhile
            title="Somebody saved this connection."
            take="Load theirs"
            {...conflict}
          />
        )}
        <ConnectionFields draft={draft} />
        {needsOtherSecrets(draft, base) && <OtherHost connection={connection} draft={draft} />}
        {draft.wire !== 'demo' && <LimitFields draft={draft} />}
        <FormButtons button="Save" />
      </Form>
      {question && <ZoneDialog id={id} name={name} {...question} />}
    </Section>
  )
}

/** Shows that stored secrets belong to the host they were entered for. */
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
        Another host: the stored key is not sent there.
        {headerNames.length > 0 && ` Enter these headers again: ${headerNames.join(', ')}.`}
      </p>
      {key && (
        <FormField
          name="apiKey"
          shape={{
            ...secretField(`${keyLabel(draft.wire, draft.settings) ?? 'API key'} for the new host`),
            optional: true,
            hint: 'Leave empty for no key.',
          }}
        />
      )}
    </div>
  )
}
