'use client'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { FormDialog } from '@/components/forms/form-dialog'
import { Checkbox } from '@/components/ui/checkbox'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { useToast } from '@/components/ui/toast'
import type { KeyListing } from '@/lib/domains/connections/key-schemas'
import type { ConnectionListing } from '@/lib/domains/connections/schemas'
import type { ActionResult } from '@/lib/kernel/action'
import type { FurtherKey } from '@/lib/probes/store-further-key'
import { parseCount, typedFigure } from '@/lib/protocol/codecs'
import { keyLabel } from '@/lib/protocol/connection-settings'
import { secretsHost } from '@/lib/protocol/secrets-host'
import { addFurtherKey, changeFurtherKey, renewFurtherKey, replaceKey } from '../actions'
import { SecretInput } from '../secret-input'

type Wrong = Partial<Record<string, string>>
type Closing = { onClose: () => void }

/** Says what was done, closes, and shows the page as it is now. */
function useSaved(onClose: () => void, title: string) {
  const router = useRouter()
  const toast = useToast()
  return () => {
    toast({ tone: 'ok', title })
    onClose()
    router.refresh()
  }
}

/** The form fails when the provider refuses the key. */
function taken(result: ActionResult<FurtherKey>): ActionResult<FurtherKey> {
  if (!result.ok || result.value.stored) return result
  return { ok: false, error: { code: 'key-refused', message: result.value.test.message } }
}

export function AddKeyDialog({ connection, onClose }: Closing & { connection: ConnectionListing }) {
  const { id, name, wire, settings } = connection
  const [untested, setUntested] = useState(false)
  return (
    <FormDialog
      title={`Add a key to ${name}`}
      description="The key is sent to the same address as the other keys of this connection, so it should belong to an account with the same models."
      button="Add key"
      failed="The key was not added"
      changed={untested}
      send={async (text) =>
        taken(
          await addFurtherKey({
            id,
            label: text('label'),
            apiKey: text('apiKey'),
            ...limitsOf(text),
            test: !untested,
            host: secretsHost(connection),
          }),
        )
      }
      onDone={useSaved(onClose, 'Added the key')}
      onClose={onClose}
    >
      {(wrong, field) => (
        <>
          <LabelField wrong={wrong} field={field} />
          <Field
            id={`${field}-key`}
            label={keyLabel(wire, settings) ?? 'API key'}
            error={wrong.apiKey}
          >
            {(control) => <SecretInput {...control} name="apiKey" />}
          </Field>
          <LimitFields wrong={wrong} field={field} />
          <Untested checked={untested} onChange={setUntested} field={field} />
        </>
      )}
    </FormDialog>
  )
}

export function EditKeyDialog({
  connectionId,
  entry,
  onClose,
}: Closing & { connectionId: string; entry: KeyListing }) {
  return (
    <FormDialog
      title={`Edit the key ${entry.label}`}
      button="Save"
      failed="The key was not changed"
      send={(text) =>
        changeFurtherKey({
          id: connectionId,
          key: entry.id ?? entry.label,
          label: text('label'),
          ...limitsOf(text),
        })
      }
      onDone={useSaved(onClose, 'Saved the key')}
      onClose={onClose}
    >
      {(wrong, field) => (
        <>
          <LabelField wrong={wrong} field={field} entry={entry} />
          <LimitFields wrong={wrong} field={field} entry={entry} />
        </>
      )}
    </FormDialog>
  )
}

export function RenewKeyDialog({
  connection,
  entry,
  onClose,
}: Closing & { connection: ConnectionListing; entry: KeyListing }) {
  const { id, wire, settings } = connection
  const [untested, setUntested] = useState(false)
  return (
    <FormDialog
      title={`Replace the key ${entry.label}`}
      description="The new key is tested first and then replaces the old one at once. Active runs keep the key they started with."
      button="Replace"
      failed="The key was not replaced"
      changed={untested}
      send={async (text) => {
        const input = { id, apiKey: text('apiKey'), test: !untested, host: secretsHost(connection) }
        return taken(
          entry.isOwn
            ? await replaceKey(input)
            : await renewFurtherKey({ ...input, key: entry.id ?? entry.label }),
        )
      }}
      onDone={useSaved(onClose, 'Replaced the key')}
      onClose={onClose}
    >
      {(wrong, field) => (
        <>
          <Field
            id={`${field}-key`}
            label={`New ${keyLabel(wire, settings) ?? 'API key'}`}
            error={wrong.apiKey}
          >
            {(control) => <SecretInput {...control} name="apiKey" />}
          </Field>
          <Untested checked={untested} onChange={setUntested} field={field} />
        </>
      )}
    </FormDialog>
  )
}

type Fields = { wrong: Wrong; field: string; entry?: KeyListing }

function LabelField({ wrong, field, entry }: Fields) {
  return (
    <Field id={`${field}-label`} label="Label" error={wrong.label}>
      {(control) => (
        <Input {...control} name="label" autoComplete="off" defaultValue={entry?.label} />
      )}
    </Field>
  )
}

const numbers = [
  {
    name: 'weight',
    label: 'Weight',
    hint: 'A key with weight 3 gets three times as many requests as one with 1.',
  },
  { name: 'requestsPerMinute', label: 'Requests a minute', hint: 'Leave empty for no limit.' },
  { name: 'tokensPerMinute', label: 'Tokens a minute', hint: 'Leave empty for no limit.' },
] as const

function LimitFields({ wrong, field, entry }: Fields) {
  return numbers.map(({ name, label, hint }) => (
    <Field
      key={name}
      id={`${field}-${name}`}
      label={label}
      hint={hint}
      error={wrong[name]}
      optional={name !== 'weight'}
    >
      {(control) => (
        <Input
          {...control}
          name={name}
          inputMode="numeric"
          autoComplete="off"
          defaultValue={entry ? (entry[name] ?? '') : name === 'weight' ? 1 : ''}
        />
      )}
    </Field>
  ))
}

function Untested({
  checked,
  onChange,
  field,
}: {
  checked: boolean
  onChange: (checked: boolean) => void
  field: string
}) {
  return (
    <label htmlFor={`${field}-untested`} className="flex items-center gap-2">
      <Checkbox id={`${field}-untested`} checked={checked} onCheckedChange={onChange} />
      Store without a test
    </label>
  )
}

function limitsOf(text: (field: string) => string) {
  return {
    weight: parseCount(text('weight')) ?? Number.NaN,
    requestsPerMinute: typedFigure(text('requestsPerMinute'), parseCount),
    tokensPerMinute: typedFigure(text('tokensPerMinute'), parseCount),
  }
}
