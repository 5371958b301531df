'use client'
import { Checkbox } from '@/components/ui/checkbox'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { ModelTarget } from '@/lib/protocol/model-target'
import { wireAddress } from '@/lib/protocol/wire-address'
import { zoneWords } from '../configurations/configuration-words'
import type { ConnectionDraft } from './connection-draft'
import type { ConnectionErrors } from './connection-errors'
import { wireWords, zoneHints } from './connection-words'

export type FieldsProps = {
  draft: ConnectionDraft
  errors: ConnectionErrors['fields']
  onChange: (part: Partial<ConnectionDraft>) => void
}

const wires = ModelTarget.shape.wire.options
const zones = ModelTarget.shape.trustZone.options

/** What a provider is and where: the part of the form that always matters. */
export function ConnectionFields({ draft, errors, onChange }: FieldsProps) {
  const usual = wireAddress[draft.wire]
  return (
    <>
      <Field id="name" label="Name" hint="What people here call it." error={errors.name}>
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            maxLength={100}
            value={draft.name}
            onChange={(event) => onChange({ name: event.target.value })}
          />
        )}
      </Field>
      <Field id="wire" label="Wire" hint="The protocol it speaks." error={errors.wire}>
        {(control) => (
          <Select
            {...control}
            options={wires.map((value) => ({ value, label: wireWords[value] }))}
            value={draft.wire}
            onValueChange={(value) =>
              onChange({ wire: wires.find((each) => each === value) ?? draft.wire })
            }
          />
        )}
      </Field>
      {draft.wire !== 'demo' && (
        <>
          <Field
            id="base-url"
            label="Base URL"
            optional={usual !== null}
            hint={usual === null ? 'Most end in /v1.' : `Left empty, it is ${usual}.`}
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
          <PrivateAddress draft={draft} errors={errors} onChange={onChange} />
        </>
      )}
      <Field
        id="trust-zone"
        label="Trust zone"
        hint={zoneHints[draft.trustZone]}
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

function PrivateAddress({ draft, errors, onChange }: FieldsProps) {
  const error = errors.privateAddressAllowed
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor="private-address" className="flex w-fit items-center gap-2">
        <Checkbox
          id="private-address"
          checked={draft.privateAddressAllowed}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? 'private-address-error' : 'private-address-hint'}
          onCheckedChange={(privateAddressAllowed) => onChange({ privateAddressAllowed })}
        />
        Allow this address in a private network
      </label>
      <p id="private-address-hint" className="text-muted text-sm">
        Needed for this machine and for 10.x, 172.16.x and 192.168.x. Otherwise a name that comes to
        lead there is refused at every connection.
      </p>
      {error && (
        <p id="private-address-error" className="text-error text-sm">
          {error}
        </p>
      )}
    </div>
  )
}
