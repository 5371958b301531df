'use client'
import { Form, FormButtons } from '@/components/forms/form'
import { FormField } from '@/components/forms/form-field'
import { useConfirmed } from '@/components/forms/use-act'
import { useActionForm } from '@/components/forms/use-action-form'
import { type SecondFactorFor, settingShape } from '@/lib/domains/settings/shape'
import { reasonField } from '@/lib/protocol/field-shape'
import { saveSettings } from './actions'
import { DurationField, typedDuration, typedMs } from './duration-field'

/** Shows the form for who must have a second factor, and when idle sessions end. Give it a `key` of what is stored. */
export function SignInForm({
  secondFactorFor,
  sessionIdleMs,
}: {
  secondFactorFor: SecondFactorFor
  sessionIdleMs: number
}) {
  const confirmed = useConfirmed()
  const form = useActionForm({
    values: { secondFactorFor, sessionIdleMs: typedDuration(sessionIdleMs), reason: '' },
    send: ({ sessionIdleMs: idle, ...settings }) =>
      confirmed(() => saveSettings({ ...settings, sessionIdleMs: typedMs(idle) })),
    saved: (sent) => ({ ...sent, reason: '' }),
    done: 'Saved the sign-in settings',
  })
  return (
    <Form form={form}>
      <FormField name="secondFactorFor" shape={settingShape.secondFactorFor} controlClass="w-48" />
      <DurationField name="sessionIdleMs" />
      <FormField name="reason" shape={reasonField} />
      <FormButtons button="Save" failed="The settings were not saved" />
    </Form>
  )
}
