'use client'
import { createContext, type ReactNode, useContext } from 'react'
import { ChangedMeanwhile } from '@/components/forms/changed-meanwhile'
import { Form, FormFailure, SubmitButton } from '@/components/forms/form'
import { SelectControl, TextControl } from '@/components/forms/form-controls'
import { CustomField, FormField } from '@/components/forms/form-field'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import {
  type SettingName,
  type SiteSettings,
  settingShape,
  settingWords,
} from '@/lib/domains/settings/shape'
import { reasonField } from '@/lib/shape/reason-words'
import { countOf, type DurationUnit } from '@/lib/words/format'
import type { TypedDuration } from './typed-settings'
import { useSettingsForm } from './use-settings-form'

type Around = { stored: SiteSettings; changed: readonly SettingName[] }

const SettingsContext = createContext<Around | null>(null)

/** Shows the form of all settings around their sections, and at its end the bar that saves what was changed. */
export function SettingsForm({
  settings,
  children,
}: {
  settings: SiteSettings
  children: ReactNode
}) {
  const { form, stored, changed, conflict, discard } = useSettingsForm(settings)
  return (
    <SettingsContext value={{ stored, changed }}>
      <Form form={form} label="Settings" className="gap-3 sm:gap-6">
        {conflict && (
          <ChangedMeanwhile
            title={`Somebody changed ${wordsOf(conflict.names, settings)}.`}
            take="Load the saved values"
            onKeep={conflict.onKeep}
            onTake={conflict.onTake}
          />
        )}
        {children}
        {(form.unsaved || form.failure !== null) && (
          <SaveBar changes={changed.length} onDiscard={discard} />
        )}
      </Form>
    </SettingsContext>
  )
}

/** Returns "Maximum rounds of a run: 50, Runs at once: 256". */
function wordsOf(names: readonly SettingName[], settings: SiteSettings): string {
  return names
    .map((name) => `${settingShape[name].label}: ${settingWords(name, settings)}`)
    .join(', ')
}

// The bar has one line. That it is audited stands at the head of the page.
const { hint: _hint, ...reasonShape } = reasonField

/** Shows how many settings were changed, with the buttons that drop or save all of them. It stays in reach while one scrolls. */
function SaveBar({ changes, onDiscard }: { changes: number; onDiscard: () => void }) {
  return (
    <section
      aria-label="Unsaved changes"
      className="sticky bottom-0 z-20 flex max-w-160 flex-col gap-2 rounded-t-md border bg-surface-1 px-4 py-3 shadow-float"
    >
      <FormFailure title="The settings were not saved" />
      <div className="flex flex-wrap items-end gap-x-4 gap-y-2">
        <FormField
          name="reason"
          shape={reasonShape}
          className="min-w-48 max-w-96 flex-1 basis-48"
        />
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span role="status" className="numeric mr-2 text-strong">
            {changes === 0 ? 'No changes' : countOf(changes, 'change')}
          </span>
          <Button onClick={onDiscard}>Discard</Button>
          <SubmitButton>Save</SubmitButton>
        </span>
      </div>
    </section>
  )
}

/** Shows the fields of some settings, in this order, each marked once it is changed. */
export function SettingFields({ names }: { names: readonly SettingName[] }) {
  const around = useContext(SettingsContext)
  if (!around) throw new Error('SettingFields stands outside SettingsForm.')
  return names.map((name) => {
    const isChanged = around.changed.includes(name)
    return (
      <div
        key={name}
        className={cn(
          '-ml-2 border-l-2 pl-1.5',
          isChanged ? 'border-accent' : 'border-transparent',
        )}
      >
        <SettingField name={name} />
        {isChanged && (
          <p className="text-strong text-sm">
            Changed. Saved value: {settingWords(name, around.stored)}
          </p>
        )}
      </div>
    )
  })
}

function SettingField({ name }: { name: SettingName }) {
  const shape = settingShape[name]
  if (shape.kind === 'duration') return <DurationField name={name} shape={shape} />
  return <FormField name={name} shape={shape} controlClass="w-48" />
}

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
