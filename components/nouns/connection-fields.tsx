'use client'
import type { ReactNode } from 'react'
import { useFormState } from 'react-hook-form'
import { FieldGroup, setFields } from '@/components/forms/field-group'
import { SelectControl, TextControl } from '@/components/forms/form-controls'
import { FormField, FormFields, useFieldState } from '@/components/forms/form-field'
import { Field } from '@/components/ui/field'
import { connectionShape } from '@/lib/domains/connections/shape'
import {
  type ConnectionSettings,
  settingsFor,
  settingValue,
} from '@/lib/domains/connections/shared/connection-settings'
import { wireAddress } from '@/lib/domains/connections/shared/wire-address'
import { pick } from '@/lib/protocol/parameters/parameters'
import type { ChoiceValue, FieldShape } from '@/lib/shape/field-shape'
import { type ConnectionDraft, emptyDraft } from './connection-draft'

const { name, wire, baseUrl, privateAddressAllowed, trustZone } = connectionShape

/** Shows the required fields of a connection. `children` are shown with its credentials. */
export function ConnectionFields({
  draft,
  children,
}: {
  draft: ConnectionDraft
  children?: ReactNode
}) {
  return (
    <>
      <FormField name="name" shape={name} />
      <FormField name="wire" shape={wire} hint={wireHint(draft)} />
      {draft.wire !== 'demo' && (
        <>
          <AddressField draft={draft} />
          <FormField name="privateAddressAllowed" shape={privateAddressAllowed} />
          <SettingFields wire={draft.wire} />
          {children}
        </>
      )}
      <FormField name="trustZone" shape={trustZone} hint={zoneHint(draft)} />
    </>
  )
}

function wireHint(draft: ConnectionDraft): string | undefined {
  return draft.wire === 'openai'
    ? 'Responses. For Chat Completions, pick OpenAI-compatible.'
    : undefined
}

function zoneHint(draft: ConnectionDraft): string {
  return (
    trustZone.choices.find(({ value }) => value === draft.trustZone)?.hint ??
    'Another host: pick its trust zone.'
  )
}

/** Shows the settings of the picked API type. Most types have none. Together they are one value of the form. */
export function SettingFields({ wire }: { wire: ConnectionDraft['wire'] }) {
  const { id, value: settings, onChange } = useFieldState<ConnectionSettings>('settings')
  const { errors } = useFormState<ConnectionDraft>()
  return settingsFor(wire, settings).map(({ key, label, hint, required, choices }) => {
    const state = {
      id: `${id}.${key}`,
      value: settingValue(wire, settings, key) ?? '',
      error: errors.settings?.[key]?.message,
      onChange: (value: ChoiceValue) => onChange({ ...settings, [key]: String(value) }),
    }
    const words = { label, hint, optional: !required && !choices }
    return (
      <Field key={`${wire} ${key}`} id={state.id} error={state.error} {...words}>
        {(control) =>
          choices ? (
            <SelectControl {...control} shape={{ kind: 'select', label, choices }} state={state} />
          ) : (
            <TextControl
              {...control}
              name={`settings.${key}`}
              shape={{ kind: 'text', label }}
              state={state}
            />
          )
        }
      </Field>
    )
  })
}

export function AddressField({ draft }: { draft: ConnectionDraft }) {
  return <FormField name="baseUrl" shape={addressField(draft)} />
}

function addressField(draft: ConnectionDraft): FieldShape {
  const publicAddress = wireAddress(draft)
  return {
    ...baseUrl,
    optional: publicAddress !== null || draft.wire === 'bedrock' || draft.wire === 'gemini',
    hint: addressHint(draft),
    placeholder: publicAddress ?? 'https://models.example.org/v1',
  }
}

function addressHint(draft: ConnectionDraft): string {
  const publicAddress = wireAddress(draft)
  if (publicAddress !== null) return `Default: ${publicAddress}.`
  if (draft.wire === 'bedrock') return 'Leave empty for Amazon.'
  if (draft.wire === 'gemini') return 'Leave empty for Google.'
  if (draft.wire === 'azure-openai') return 'Your resource, with /openai/v1.'
  return 'Most end in /v1.'
}

const limits = pick(connectionShape, [
  'organisation',
  'maxTries',
  'connectTimeoutMs',
  'firstByteTimeoutMs',
  'idleTimeoutMs',
])

/** Shows settings that few people change: billing, timeouts and retries. */
export function LimitFields({ draft }: { draft: ConnectionDraft }) {
  return (
    <FieldGroup
      title="Organisation and limits"
      fields={Object.keys(limits)}
      set={setFields(limits, draft, emptyDraft)}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <FormFields fields={limits} />
      </div>
    </FieldGroup>
  )
}
