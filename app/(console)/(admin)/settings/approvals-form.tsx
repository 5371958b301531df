'use client'
import { Form, FormButtons } from '@/components/forms/form'
import { FormField } from '@/components/forms/form-field'
import { useActionForm } from '@/components/forms/use-action-form'
import { reasonField } from '@/lib/protocol/field-shape'
import { saveSettings } from './actions'
import { DurationField, typedDuration, typedMs } from './duration-field'

/** Shows the form for how long calls wait. Give it a `key` of what is stored. */
export function ApprovalsForm({ lifetimeMs }: { lifetimeMs: number }) {
  const form = useActionForm({
    values: { approvalLifetimeMs: typedDuration(lifetimeMs), reason: '' },
    send: ({ approvalLifetimeMs, reason }) =>
      saveSettings({ approvalLifetimeMs: typedMs(approvalLifetimeMs), reason }),
    saved: (sent) => ({ ...sent, reason: '' }),
    done: 'Saved the setting',
  })
  return (
    <Form form={form}>
      <DurationField name="approvalLifetimeMs" />
      <FormField name="reason" shape={reasonField} />
      <FormButtons button="Save" failed="The setting was not saved" />
    </Form>
  )
}
