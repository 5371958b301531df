'use client'
import { Form, FormButtons } from '@/components/forms/form'
import { SelectControl, TextControl } from '@/components/forms/form-controls'
import { CustomField, FormField } from '@/components/forms/form-field'
import { useActionForm } from '@/components/forms/use-action-form'
import {
  type SettingName,
  type SiteSettings,
  settingNames,
  settingShape,
} from '@/lib/domains/settings/shape'
import {
  type DurationUnit,
  durationMs,
  durationParts,
  parseCount,
  parseDecimal,
} from '@/lib/protocol/format'
import { reasonField } from '@/lib/protocol/reason-words'
import { saveSettings } from './actions'

type Props = {
  names: readonly SettingName[]
  settings: SiteSettings
  done: string
  failed: string
}

/** Shows the form of some settings, in this order. Give it a `key` of their stored values. */
export function SettingsForm({ names, settings, done, failed }: Props) {
  const stored = settingNames.map((name) => [name, typedSetting(name, settings[name])])
  const values: Values = { ...Object.fromEntries(stored), reason: '' }
  const form = useActionForm({
    values,
    send: (typed) => {
      const sent = names.map((name) => [name, settingOf(name, typed[name])])
      return saveSettings({ ...Object.fromEntries(sent), reason: typed.reason })
    },
    saved: (sent) => ({ ...sent, reason: '' }),
    done,
  })
  return (
    <Form form={form}>
      {names.map((name) => (
        <SettingField key={name} name={name} />
      ))}
      <FormField name="reason" shape={reasonField} />
      <FormButtons button="Save" failed={failed} />
    </Form>
  )
}

function SettingField({ name }: { name: SettingName }) {
  const shape = settingShape[name]
  if (shape.kind === 'duration') return <DurationField name={name} shape={shape} />
  return <FormField name={name} shape={shape} controlClass="w-48" />
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

type TypedSetting = TypedDuration | string
type Values = Record<SettingName, TypedSetting> & { reason: string }

/** Returns a setting as its field holds it: durations as amount and unit. */
function typedSetting(name: SettingName, value: SiteSettings[SettingName]): TypedSetting {
  if (typeof value !== 'number') return value
  if (settingShape[name].kind !== 'duration') return String(value)
  const { amount, unit } = durationParts(value)
  return { amount: String(amount), unit }
}

/** Returns the value of a field; NaN when a duration or a number has none. */
function settingOf(name: SettingName, typed: TypedSetting): number | string {
  if (typeof typed === 'string') {
    return settingShape[name].kind === 'number' ? (parseCount(typed) ?? Number.NaN) : typed
  }
  return durationMs(parseDecimal(typed.amount) ?? Number.NaN, typed.unit)
}

/** Shows a field for a setting that lasts some time. */
function DurationField({ name, shape }: { name: string; shape: { label: string; hint: string } }) {
  return (
    <CustomField<TypedDuration> name={name} label={shape.label} hint={shape.hint}>
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
