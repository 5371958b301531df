'use client'
import type { ReactNode } from 'react'
import { useFormState } from 'react-hook-form'
import { SelectControl, TextControl } from '@/components/forms/form-controls'
import { FormField, useFieldState } from '@/components/forms/form-field'
import { Field } from '@/components/ui/field'
import { zoneWords } from '@/lib/protocol/configuration-form'
import {
  type ConnectionSettings,
  settingsFor,
  settingValue,
} from '@/lib/protocol/connection-settings'
import { type ChoiceValue, type FieldShape, privateAddressField } from '@/lib/protocol/field-shape'
import { ModelTarget } from '@/lib/protocol/model-target'
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
          <SettingFields wire={draft.wire} />
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

/** Shows the settings of the picked API type. Most types have none. Together they are one value of the form. */
function SettingFields({ wire }: { wire: ConnectionDraft['wire'] }) {
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
