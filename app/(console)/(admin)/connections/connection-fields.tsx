'use client'
import type { ReactNode } from 'react'
import { PrivateAddress } from '@/components/forms/private-address'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { ModelTarget } from '@/lib/protocol/model-target'
import { zoneWords } from '@/lib/protocol/setting-words'
import { wireWords } from '@/lib/protocol/wire'
import { wireAddress } from '@/lib/protocol/wire-address'
import { type ConnectionDraft, withWire } from './connection-draft'
import type { ConnectionErrors } from './connection-errors'
import { wireHints, zoneHints } from './connection-words'
import { SettingFields } from './setting-fields'

export type FieldsProps = {
  draft: ConnectionDraft
  errors: ConnectionErrors['fields']
  onChange: (part: Partial<ConnectionDraft>) => void
}

const wires = ModelTarget.shape.wire.options
const zones = ModelTarget.shape.trustZone.options

/** The required fields of a connection. `children` are shown with its credentials. */
export function ConnectionFields({
  draft,
  errors,
  onChange,
  children,
}: FieldsProps & { children?: ReactNode }) {
  const usual = wireAddress(draft)
  return (
    <>
      <Field id="name" label="Name" hint="Shown to people." error={errors.name}>
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            value={draft.name}
            onChange={(event) => onChange({ name: event.target.value })}
          />
        )}
      </Field>
      <Field
        id="wire"
        label="API type"
        hint={wireHints[draft.wire] ?? 'The API that the provider offers.'}
        error={errors.wire}
      >
        {(control) => (
          <Select
            {...control}
            options={wires.map((value) => ({ value, label: wireWords[value] }))}
            value={draft.wire}
            onValueChange={(value) =>
              onChange(withWire(draft, wires.find((each) => each === value) ?? draft.wire))
            }
          />
        )}
      </Field>
      {draft.wire !== 'demo' && (
        <>
          <Field
            id="base-url"
            label="Base URL"
            optional={usual !== null || draft.wire === 'bedrock' || draft.wire === 'gemini'}
            hint={addressHint(draft)}
            error={errors.baseUrl}
          >
            {(control) => (
              <Input
                {...control}
                type="url"
                inputMode="url"
                autoComplete="off"
                spellCheck={false}
                placeholder={usual ?? 'https://models.example.org/v1'}
                value={draft.baseUrl}
                onChange={(event) => onChange({ baseUrl: event.target.value })}
              />
            )}
          </Field>
          <PrivateAddress
            checked={draft.privateAddressAllowed}
            error={errors.privateAddressAllowed}
            onChange={(privateAddressAllowed) => onChange({ privateAddressAllowed })}
          />
          <SettingFields draft={draft} errors={errors} onChange={onChange} />
          {children}
        </>
      )}
      <Field
        id="trust-zone"
        label="Trust zone"
        hint={
          draft.trustZone === ''
            ? 'The address has another host. Pick a trust zone for it.'
            : zoneHints[draft.trustZone]
        }
        error={errors.trustZone}
      >
        {(control) => (
          <Select
            {...control}
            options={zones.map((value) => ({
              value,
              label: zoneWords[value],
              hint: zoneHints[value],
            }))}
            placeholder="Pick a trust zone"
            value={draft.trustZone}
            onValueChange={(value) =>
              onChange({ trustZone: zones.find((each) => each === value) ?? draft.trustZone })
            }
          />
        )}
      </Field>
    </>
  )
}

function addressHint(draft: ConnectionDraft): string {
  const usual = wireAddress(draft)
  if (usual !== null) return `Default: ${usual}.`
  if (draft.wire === 'bedrock') return 'Leave empty to ask Amazon in the region below.'
  if (draft.wire === 'gemini') return 'Leave empty to ask Google in the location below.'
  if (draft.wire === 'azure-openai') return 'The address of your resource, with /openai/v1.'
  return 'Most end in /v1.'
}
