'use client'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { ReasonField } from '@/components/forms/reason-field'
import { useSubmit } from '@/components/forms/use-submit'
import { Button } from '@/components/ui/button'
import { ErrorNotice } from '@/components/ui/error-notice'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { useToast } from '@/components/ui/toast'
import { type DurationUnit, durationMs, durationParts } from '@/lib/protocol/duration-text'
import { saveSettings } from './actions'

const units: { value: DurationUnit; label: string }[] = [
  { value: 'm', label: 'minutes' },
  { value: 'h', label: 'hours' },
  { value: 'd', label: 'days' },
]

/** How long calls wait. Give it a `key` of what is stored. */
export function ApprovalsForm({ lifetimeMs }: { lifetimeMs: number }) {
  const router = useRouter()
  const toast = useToast()
  const stored = durationParts(lifetimeMs)
  const [unit, setUnit] = useState(stored.unit)
  // What was saved stays in the fields until the page has it, too.
  const [saved, setSaved] = useState({ unit: stored.unit, times: 0 })
  const { form, busy, error, fields } = useSubmit({
    send: (text) =>
      saveSettings({
        approvalLifetimeMs: durationMs(Number(text('amount') || Number.NaN), unit),
        reason: text('reason'),
      }),
    onDone: () => {
      setSaved({ unit, times: saved.times + 1 })
      toast({ tone: 'ok', title: 'Saved how long calls wait' })
      router.refresh()
    },
    changed: unit !== saved.unit,
  })
  return (
    <form {...form} className="flex flex-col gap-3">
      {error && !error.fields && (
        <ErrorNotice title="The setting was not changed">{error.message}</ErrorNotice>
      )}
      <Field
        id="approval-lifetime"
        label="How long a call waits"
        hint="5 minutes to 30 days; the default is 24 hours. After that, the call is denied. Calls that already wait keep their deadline."
        error={fields.approvalLifetimeMs}
      >
        {(control) => (
          <div className="flex gap-2">
            <Input
              {...control}
              name="amount"
              inputMode="numeric"
              autoComplete="off"
              className="numeric w-24"
              defaultValue={stored.amount}
            />
            <Select
              aria-label="Unit"
              className="w-32"
              options={units}
              value={unit}
              onValueChange={(value) =>
                setUnit(units.find((each) => each.value === value)?.value ?? unit)
              }
            />
          </div>
        )}
      </Field>
      <ReasonField key={saved.times} id="approval-reason" error={fields.reason} />
      <Button type="submit" variant="primary" loading={busy} className="self-start">
        Save
      </Button>
    </form>
  )
}
