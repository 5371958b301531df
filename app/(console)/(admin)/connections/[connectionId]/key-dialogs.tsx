'use client'
import type { KeyListing } from '@toolgate/server/domains/connections/key-schemas'
import type { ConnectionListing } from '@toolgate/server/domains/connections/schemas'
import type { FurtherKey } from '@toolgate/server/probes/store-further-key'
import { FormDialog } from '@/components/forms/form'
import { FormFields } from '@/components/forms/form-field'
import { useActionForm } from '@/components/forms/use-action-form'
import { keyShape } from '@/lib/domains/connections/shape'
import { keyLabel } from '@/lib/domains/connections/shared/connection-settings'
import { secretsHost } from '@/lib/domains/connections/shared/wire-address'
import type { ActionResult } from '@/lib/next/action'
import { defaultsOf, readTyped, typedOf } from '@/lib/shape/field-codec'
import { type FieldShape, secretField } from '@/lib/shape/field-shape'
import { addFurtherKey, changeFurtherKey, renewFurtherKey, replaceKey } from '../actions'

type Closing = { onClose: () => void }

const { label, ...use } = keyShape
const untested: FieldShape = { kind: 'checkbox', label: 'Store without a test' }

/** Fails the form when the provider refuses the key. */
function taken(result: ActionResult<FurtherKey>): ActionResult<FurtherKey> {
  if (!result.ok || result.value.stored) return result
  return { ok: false, error: { code: 'key-refused', message: result.value.test.message } }
}

export function AddKeyDialog({ connection, onClose }: Closing & { connection: ConnectionListing }) {
  const { id, wire, settings } = connection
  const form = useActionForm({
    values: {
      ...typedOf(keyShape, { label: '', ...defaultsOf(keyShape) }),
      apiKey: '',
      untested: false,
    },
    send: async (typed) =>
      taken(
        await addFurtherKey({
          id,
          ...readTyped(keyShape, typed),
          apiKey: typed.apiKey,
          test: !typed.untested,
          host: secretsHost(connection),
        }),
      ),
    done: 'Key added',
    onDone: onClose,
  })
  return (
    <FormDialog
      form={form}
      title="Add key"
      description="Its account needs the same models as the other keys."
      button="Add key"
      onClose={onClose}
    >
      <FormFields
        fields={{
          label,
          apiKey: secretField(keyLabel(wire, settings) ?? 'API key'),
          ...use,
          untested,
        }}
      />
    </FormDialog>
  )
}

export function EditKeyDialog({
  connectionId,
  entry,
  onClose,
}: Closing & { connectionId: string; entry: KeyListing }) {
  const form = useActionForm({
    values: typedOf(keyShape, entry),
    send: (typed) =>
      changeFurtherKey({
        id: connectionId,
        key: entry.id ?? entry.label,
        ...readTyped(keyShape, typed),
      }),
    done: 'Key saved',
    onDone: onClose,
  })
  return (
    <FormDialog form={form} title={`Edit ${entry.label}`} button="Save" onClose={onClose}>
      <FormFields fields={keyShape} />
    </FormDialog>
  )
}

export function RenewKeyDialog({
  connection,
  entry,
  onClose,
}: Closing & { connection: ConnectionListing; entry: KeyListing }) {
  const { id, wire, settings } = connection
  const form = useActionForm({
    values: { apiKey: '', untested: false },
    send: async (typed) => {
      const input = {
        id,
        apiKey: typed.apiKey,
        test: !typed.untested,
        host: secretsHost(connection),
      }
      return taken(
        entry.isOwn
          ? await replaceKey(input)
          : await renewFurtherKey({ ...input, key: entry.id ?? entry.label }),
      )
    },
    done: 'Key replaced',
    onDone: onClose,
  })
  return (
    <FormDialog
      form={form}
      title={`Replace ${entry.label}`}
      description="Tested first. Active runs keep the key they started with."
      button="Replace"
      onClose={onClose}
    >
      <FormFields
        fields={{
          apiKey: secretField(`New ${keyLabel(wire, settings) ?? 'API key'}`),
          untested,
        }}
      />
    </FormDialog>
  )
}
