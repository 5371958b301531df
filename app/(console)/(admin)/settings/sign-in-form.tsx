'use client'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { ReasonField } from '@/components/forms/reason-field'
import { useConfirmed } from '@/components/forms/use-confirmed'
import { useSubmit } from '@/components/forms/use-submit'
import { Button } from '@/components/ui/button'
import { ErrorNotice } from '@/components/ui/error-notice'
import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { useToast } from '@/components/ui/toast'
import type { SecondFactorFor } from '@/lib/domains/settings/site-settings'
import { saveSettings } from './actions'
import { DurationField, useDuration } from './duration-field'

const choices: { value: SecondFactorFor; label: string }[] = [
  { value: 'none', label: 'Nobody' },
  { value: 'admins', label: 'Admins' },
  { value: 'everyone', label: 'Everyone' },
]

/** Who must have a second factor, and when idle sessions end. Give it a `key` of what is stored. */
export function SignInForm({
  secondFactorFor,
  sessionIdleMs,
}: {
  secondFactorFor: SecondFactorFor
  sessionIdleMs: number
}) {
  const router = useRouter()
  const toast = useToast()
  const confirmed = useConfirmed()
  const [asked, setAsked] = useState(secondFactorFor)
  const idle = useDuration(sessionIdleMs)
  // The fields keep the saved values until the page is rendered with them.
  const [saved, setSaved] = useState({ asked: secondFactorFor, times: 0 })
  const { form, busy, error, fields } = useSubmit({
    send: (text) =>
      confirmed(() =>
        saveSettings({
          secondFactorFor: asked,
          sessionIdleMs: idle.read(text),
          reason: text('reason'),
        }),
      ),
    onDone: () => {
      idle.keep()
      setSaved({ asked, times: saved.times + 1 })
      toast({ tone: 'ok', title: 'Saved the sign-in settings' })
      router.refresh()
    },
    changed: asked !== saved.asked || idle.changed,
  })
  return (
    <form {...form} className="flex flex-col gap-3">
      {error && !error.fields && (
        <ErrorNotice title="The settings were not saved">{error.message}</ErrorNotice>
      )}
      <Field
        id="second-factor-for"
        label="Second factor required for"
        hint="Applies to accounts with a password. People without a second factor must set one up before they can do anything else. Accounts of the identity provider, API keys and the command line are not affected."
        error={fields.secondFactorFor}
      >
        {(control) => (
          <Select
            {...control}
            className="w-48"
            options={choices}
            value={asked}
            onValueChange={(value) =>
              setAsked(choices.find((each) => each.value === value)?.value ?? asked)
            }
          />
        )}
      </Field>
      <DurationField
        id="session-idle"
        label="Sign out after no activity for"
        hint="5 minutes to 30 days; the default is 8 hours. A session always ends 12 hours after sign-in."
        error={fields.sessionIdleMs}
        duration={idle}
      />
      <ReasonField key={saved.times} id="sign-in-reason" error={fields.reason} />
      <Button type="submit" variant="primary" loading={busy} className="self-start">
        Save
      </Button>
    </form>
  )
}
