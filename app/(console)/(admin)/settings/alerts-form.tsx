'use client'
import { CircleCheck, Send, Trash2, TriangleAlert } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { ActWithReason } from '@/components/forms/act-with-reason'
import { PrivateAddress } from '@/components/forms/private-address'
import { ReasonField } from '@/components/forms/reason-field'
import { useAct } from '@/components/forms/use-act'
import { useSubmit } from '@/components/forms/use-submit'
import { Button } from '@/components/ui/button'
import { ErrorNotice } from '@/components/ui/error-notice'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { RelativeTime } from '@/components/ui/relative-time'
import { useToast } from '@/components/ui/toast'
import type { AlertWebhookListing } from '@/lib/domains/budgets/alert-webhook'
import { forgetAlertWebhook, saveAlertWebhook, sendTestAlert } from './alert-actions'

/** Where alerts are sent. Give it a `key` of what is stored. */
export function AlertsForm({ webhook }: { webhook: AlertWebhookListing | null }) {
  const router = useRouter()
  const toast = useToast()
  const stored = webhook?.privateAddressAllowed ?? false
  const [privateAllowed, setPrivateAllowed] = useState(stored)
  // The fields keep the saved values until the page is rendered with them.
  const [saved, setSaved] = useState({ privateAllowed: stored, times: 0 })
  const { form, busy, error, fields } = useSubmit({
    send: (text) =>
      saveAlertWebhook({
        url: text('url') || null,
        secret: text('secret') || null,
        privateAddressAllowed: privateAllowed,
        reason: text('reason'),
      }),
    onDone: () => {
      setSaved({ privateAllowed, times: saved.times + 1 })
      toast({ tone: 'ok', title: 'Saved the webhook' })
      router.refresh()
    },
    changed: privateAllowed !== saved.privateAllowed,
  })
  return (
    <form {...form} className="flex flex-col gap-3">
      {error && !error.fields && (
        <ErrorNotice title="The webhook was not saved">{error.message}</ErrorNotice>
      )}
      {webhook && <WebhookState webhook={webhook} />}
      <Field
        id="alert-url"
        label="Webhook"
        optional={webhook !== null}
        hint={
          webhook
            ? `Leave empty to keep the stored one, ${webhook.address} (its path is never shown). Each alert is posted there once, as JSON.`
            : 'Each alert is posted there once, as JSON. Its path is encrypted and never shown again.'
        }
        error={fields.url}
      >
        {(control) => (
          <Input
            key={saved.times}
            {...control}
            name="url"
            type="url"
            autoComplete="off"
            spellCheck={false}
            placeholder={webhook?.address ?? 'https://'}
          />
        )}
      </Field>
      <Field
        id="alert-secret"
        label="Secret"
        optional={webhook !== null}
        hint={
          webhook
            ? 'Leave empty to keep the stored one. It signs each alert (HMAC-SHA256) and is never shown.'
            : 'At least 16 characters. It signs each alert (HMAC-SHA256) and is never shown.'
        }
        error={fields.secret}
      >
        {(control) => (
          <Input
            key={saved.times}
            {...control}
            name="secret"
            type="password"
            autoComplete="new-password"
          />
        )}
      </Field>
      <PrivateAddress
        checked={privateAllowed}
        error={fields.privateAddressAllowed}
        onChange={setPrivateAllowed}
      />
      <ReasonField key={saved.times} id="alert-reason" error={fields.reason} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" loading={busy}>
          Save
        </Button>
        {webhook && <MoreButtons />}
      </div>
    </form>
  )
}

/** The buttons that test and remove a stored webhook. */
function MoreButtons() {
  const { busy, act } = useAct()
  const [removing, setRemoving] = useState(false)
  const test = () =>
    act(
      async () => {
        const result = await sendTestAlert({})
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
          send={(reason) => forgetAlertWebhook({ reason })}
          onClose={() => setRemoving(false)}
        >
          Alerts are then shown under Budgets only. The address and the secret are deleted.
        </ActWithReason>
      )}
    </>
  )
}

/** Says whether the newest alert arrived. */
function WebhookState({ webhook }: { webhook: AlertWebhookListing }) {
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
