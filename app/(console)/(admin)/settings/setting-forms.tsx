'use client'
import { Form, FormButtons } from '@/components/forms/form'
import { SelectControl, TextControl } from '@/components/forms/form-controls'
import { CustomField, FormField } from '@/components/forms/form-field'
import { useConfirmed } from '@/components/forms/use-act'
import { useActionForm } from '@/components/forms/use-action-form'
import {
  type DurationSetting,
  type SecondFactorFor,
  settingShape,
} from '@/lib/domains/settings/shape'
import { reasonField } from '@/lib/protocol/field-shape'
import { type DurationUnit, durationMs, durationParts, parseDecimal } from '@/lib/protocol/format'
import { saveSettings } from './actions'

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

/** A duration as it is typed: an amount and its unit. */
type TypedDuration = { amount: string; unit: DurationUnit }

const amount = { kind: 'number', label: 'Amount' } as const
const unit = {
  kind: 'select',
  label: 'Unit',
  choices: [
    { value: 'm', label: 'minutes' },
    { value: 'h', label: 'hours' },
    { value: 'd', label: 'days' },
  ],
} as const

function typedDuration(ms: number): TypedDuration {
  const { amount, unit } = durationParts(ms)
  return { amount: String(amount), unit }
}

/** Returns milliseconds; not a number when the field holds none. */
function typedMs({ amount, unit }: TypedDuration): number {
  return durationMs(parseDecimal(amount) ?? Number.NaN, unit)
}

/** Shows a field for a setting that lasts some time. */
function DurationField({ name }: { name: DurationSetting }) {
  const { label, hint } = settingShape[name]
  return (
    <CustomField<TypedDuration> name={name} label={label} hint={hint}>
      {(control, { id, value, onChange, error }) => (
        <div className="flex gap-2">
          <TextControl
            {...control}
            name={name}
            className="w-24"
            shape={amount}
            state={{
              id,
              error,
              value: value.amount,
              onChange: (amount) => onChange({ ...value, amount }),
            }}
          />
          <SelectControl
            aria-label={unit.label}
            className="w-32"
            shape={unit}
            state={{
              id,
              error,
              value: value.unit,
              onChange: (unit) => onChange({ ...value, unit: unit as DurationUnit }),
            }}
          />
        </div>
      )}
    </CustomField>
  )
}
