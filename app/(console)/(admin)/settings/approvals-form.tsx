'use client'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { ReasonField } from '@/components/forms/reason-field'
import { useSubmit } from '@/components/forms/use-submit'
import { Button } from '@/components/ui/button'
import { ErrorNotice } from '@/components/ui/error-notice'
import { useToast } from '@/components/ui/toast'
import { saveSettings } from './actions'
import { DurationField, useDuration } from './duration-field'

/** How long calls wait. Give it a `key` of what is stored. */
export function ApprovalsForm({ lifetimeMs }: { lifetimeMs: number }) {
  const router = useRouter()
  const toast = useToast()
  const lifetime = useDuration(lifetimeMs)
  const [timesSaved, setTimesSaved] = useState(0)
  const { form, busy, error, fields } = useSubmit({
    send: (text) =>
      saveSettings({
        approvalLifetimeMs: lifetime.read(text),
        reason: text('reason'),
      }),
    onDone: () => {
      lifetime.keep()
      setTimesSaved(timesSaved + 1)
      toast({ tone: 'ok', title: 'Saved the setting' })
      router.refresh()
    },
    changed: lifetime.changed,
  })
  return (
    <form {...form} className="flex flex-col gap-3">
      {error && !error.fields && (
        <ErrorNotice title="The setting was not saved">{error.message}</ErrorNotice>
      )}
      <DurationField
        id="approval-lifetime"
        label="How long a call waits"
        hint="5 minutes to 30 days; the default is 24 hours. After that, the call is denied. Calls that already wait keep their deadline."
        error={fields.approvalLifetimeMs}
        duration={lifetime}
      />
      <ReasonField key={timesSaved} id="approval-reason" error={fields.reason} />
      <Button type="submit" variant="primary" loading={busy} className="self-start">
        Save
      </Button>
    </form>
  )
}
