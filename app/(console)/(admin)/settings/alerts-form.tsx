'use client'
import { CircleCheck, Send, Trash2, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { Form, FormButtons } from '@/components/forms/form'
import { FormFields } from '@/components/forms/form-field'
import { ActWithReason } from '@/components/forms/reason-dialog'
import { useAct } from '@/components/forms/use-act'
import { useActionForm } from '@/components/forms/use-action-form'
import { Button } from '@/components/ui/button'
import { RelativeTime } from '@/components/ui/relative-time'
import type { ChannelListing } from '@/lib/domains/channels/schemas'
import { type FieldShape, privateAddressField, reasonField } from '@/lib/protocol/field-shape'
import { addChannel, changeChannel, removeChannel, sendTestMessage } from './actions'

/** Returns the fields. A stored webhook is shown only by its host. */
function shapesOf(webhook: ChannelListing | null): Record<string, FieldShape> {
  const optional = webhook !== null
  return {
    address: {
      kind: 'text',
      type: 'url',
      label: 'Webhook',
      optional,
      hint: webhook
        ? `Leave empty to keep the stored one, ${webhook.address} (its path is never shown). Each alert is posted there once, as JSON.`
        : 'Each alert is posted there once, as JSON. Its path is encrypted and never shown again.',
      placeholder: webhook?.address ?? 'https://',
    },
    secret: {
      kind: 'text',
      type: 'password',
      label: 'Secret',
      optional,
      hint: webhook
        ? 'Leave empty to keep the stored one. It signs each alert (HMAC-SHA256) and is never shown.'
        : 'At least 16 characters. It signs each alert (HMAC-SHA256) and is never shown.',
      autoComplete: 'new-password',
    },
    privateAddressAllowed: privateAddressField,
    reason: reasonField,
  }
}

const newChannel = { name: 'Budget alerts', kind: 'webhook', budgetAlerts: true } as const

/** Shows the form for where alerts are sent. Give it a `key` of what is stored. */
export function AlertsForm({ webhook }: { webhook: ChannelListing | null }) {
  const privateAddressAllowed = webhook?.privateAddressAllowed ?? false
  const form = useActionForm({
    values: { address: '', secret: '', privateAddressAllowed, reason: '' },
    send: async ({ address, secret, ...rest }) => {
      if (webhook !== null) {
        const given = { ...(address && { address }), ...(secret && { secret }) }
        return changeChannel({ id: webhook.id, ...given, ...rest })
      }
      const added = await addChannel({ ...newChannel, address, secret, ...rest })
      return added.ok ? { ok: true, value: undefined } : added
    },
    saved: (sent) => ({ ...sent, address: '', secret: '', reason: '' }),
    done: 'Saved the webhook',
  })
  return (
    <Form form={form}>
      {webhook && <WebhookState webhook={webhook} />}
      <FormFields fields={shapesOf(webhook)} />
      <FormButtons button="Save" failed="The webhook was not saved">
        {webhook && <MoreButtons id={webhook.id} />}
      </FormButtons>
    </Form>
  )
}

/** Shows the buttons that test and remove a stored webhook. */
function MoreButtons({ id }: { id: string }) {
  const { busy, act } = useAct()
  const [removing, setRemoving] = useState(false)
  const test = () =>
    act(
      async () => {
        const result = await sendTestMessage({ id })
        if (!result.ok || result.value.trouble === null) return result
        return { ok: false, error: { code: 'webhook', message: result.value.trouble } }
      },
      { failed: 'The test alert was not delivered', done: 'The webhook accepted the test alert' },
    )
  return (
    <>
      <Button loading={busy} onClick={test}>
        {!busy && <Send className="size-4" aria-hidden />}
        Send a test alert
      </Button>
      <Button onClick={() => setRemoving(true)}>
        <Trash2 className="size-4" aria-hidden />
        Remove
      </Button>
      {removing && (
        <ActWithReason
          title="Remove the webhook"
          failed="The webhook was not removed"
          done="Removed the webhook"
          send={(reason) => removeChannel({ id, reason })}
          onClose={() => setRemoving(false)}
        >
          Alerts are then shown under Budgets only. The address and the secret are deleted.
        </ActWithReason>
      )}
    </>
  )
}

/** Says whether the newest alert arrived. */
function WebhookState({ webhook }: { webhook: ChannelListing }) {
  const { lastError, lastDeliveredAt, waiting } = webhook
  if (lastError !== '') {
    return (
      <p className="flex items-start gap-1.5 text-error text-sm">
        <TriangleAlert className="mt-px size-4 shrink-0" aria-hidden />
        <span>
          The newest alert did not arrive. {lastError}{' '}
          {waiting > 0 && 'Toolgate sends it again at growing intervals for about a day.'}
        </span>
      </p>
    )
  }
  if (lastDeliveredAt === null) {
    return <p className="text-muted text-sm">No alert was sent yet.</p>
  }
  return (
    <p className="flex items-center gap-1.5 text-ok text-sm">
      <CircleCheck className="size-4" aria-hidden />
      <span>
        The last alert arrived <RelativeTime at={lastDeliveredAt} />.
      </span>
    </p>
  )
}
