'use client'
import type { ReactNode } from 'react'
import { FormField } from '@/components/forms/form-field'
import { settingsFor, settingValue } from '@/lib/protocol/connection-settings'
import { type FieldShape, privateAddressField } from '@/lib/protocol/field-shape'
import { ModelTarget } from '@/lib/protocol/model-target'
import { zoneWords } from '@/lib/protocol/setting-words'
import { wireWords } from '@/lib/protocol/wire'
import { wireAddress } from '@/lib/protocol/wire-address'
import type { ConnectionDraft } from './connection-draft'
import { wireHints, zoneHints } from './connection-words'

const name: FieldShape = { kind: 'text', label: 'Name', hint: 'Shown to people.' }
const wireChoices = ModelTarget.shape.wire.options.map((value) => ({
  value,
  label: wireWords[value],
}))
const zoneChoices = ModelTarget.shape.trustZone.options.map((value) => ({
  value,
  label: zoneWords[value],
  hint: zoneHints[value],
}))

/** The required fields of a connection. `children` are shown with its credentials. */
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
      <FormField
        name="wire"
        shape={{ kind: 'select', label: 'API type', choices: wireChoices }}
        hint={wireHints[draft.wire] ?? 'The API that the provider offers.'}
      />
      {draft.wire !== 'demo' && (
        <>
          <FormField name="baseUrl" shape={addressField(draft)} />
          <FormField name="privateAddressAllowed" shape={privateAddressField} />
          <SettingFields draft={draft} />
          {children}
        </>
      )}
      <FormField
        name="trustZone"
        shape={{
          kind: 'select',
          label: 'Trust zone',
          choices: zoneChoices,
          placeholder: 'Pick a trust zone',
        }}
        hint={
          draft.trustZone === ''
            ? 'The address has another host. Pick a trust zone for it.'
            : zoneHints[draft.trustZone]
        }
      />
    </>
  )
}

/** Shows the settings of the picked API type. Most types have none. */
function SettingFields({ draft: { wire, settings } }: { draft: ConnectionDraft }) {
  return settingsFor(wire, settings).map(({ key, label, hint, required, choices }) => {
    const words = { label, hint, optional: !required && !choices }
    return (
      <FormField
        key={`${wire} ${key}`}
        name={`settings.${key}`}
        fallback={settingValue(wire, settings, key) ?? ''}
        shape={choices ? { kind: 'select', ...words, choices } : { kind: 'text', ...words }}
      />
    )
  })
}

function addressField(draft: ConnectionDraft): FieldShape {
  const usual = wireAddress(draft)
  return {
    kind: 'text',
    type: 'url',
    label: 'Base URL',
    optional: usual !== null || draft.wire === 'bedrock' || draft.wire === 'gemini',
    hint: addressHint(draft),
    placeholder: usual ?? 'https://models.example.org/v1',
  }
}

function addressHint(draft: ConnectionDraft): string {
  const usual = wireAddress(draft)
  if (usual !== null) return `Default: ${usual}.`
  if (draft.wire === 'bedrock') return 'Leave empty to ask Amazon in the region below.'
  if (draft.wire === 'gemini') return 'Leave empty to ask Google in the location below.'
  if (draft.wire === 'azure-openai') return 'The address of your resource, with /openai/v1.'
  return 'Most end in /v1.'
}
