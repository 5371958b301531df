'use client'
import { Form, FormButtons } from '@/components/forms/form'
import { FormField } from '@/components/forms/form-field'
import { useConfirmed } from '@/components/forms/use-act'
import { useActionForm } from '@/components/forms/use-action-form'
import type { SecondFactorFor } from '@/lib/domains/settings/site-settings'
import { type FieldShape, reasonField } from '@/lib/protocol/field-shape'
import { saveSettings } from './actions'
import { DurationField, typedDuration, typedMs } from './duration-field'

const secondFactorShape: FieldShape = {
  kind: 'select',
  label: 'Second factor required for',
  hint: 'Applies to accounts with a password. People without a second factor must set one up before they can do anything else. Accounts of the identity provider, API keys and the command line are not affected.',
  choices: [
    { value: 'none', label: 'Nobody' },
    { value: 'admins', label: 'Admins' },
    { value: 'everyone', label: 'Everyone' },
  ],
}

/** Who must have a second factor, and when idle sessions end. Give it a `key` of what is stored. */
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
      <FormField name="secondFactorFor" shape={secondFactorShape} controlClass="w-48" />
      <DurationField
        name="sessionIdleMs"
        label="Sign out after no activity for"
        hint="5 minutes to 30 days; the default is 8 hours. A session always ends 12 hours after sign-in."
      />
      <FormField name="reason" shape={reasonField} />
      <FormButtons button="Save" failed="The settings were not saved" />
    </Form>
  )
}
